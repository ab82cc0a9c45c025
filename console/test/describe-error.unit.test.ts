import { InvalidId, PostriderError } from '@postrider/client';
import { expect } from 'chai';
import { describeError } from '../src/ui/describe-error.js';
import { PageFailed } from '../src/ui/page-failed.js';

describe('description of an error', () => {
  it('says how to enable an endpoint in the console, not over REST', () => {
    const problem = {
      type: 'urn:postrider:problem:EndpointDisabled',
      title: 'The webhook endpoint is disabled',
      status: 409,
      detail: 'The endpoint is disabled. Enable it first: PATCH it with {"enabled": true}.',
      tag: 'EndpointDisabled',
      traceId: 'a'.repeat(32),
    } as const;
    expect(describeError(new PostriderError(problem))).to.deep.equal({
      title: 'The endpoint is disabled. Enable it first.',
      detail: 'The page of the endpoint enables it, and replays what it missed.',
      traceId: problem.traceId,
    });
  });

  // Regression: an error of a page was described as one of the network.
  it('asks to check the network only where no response arrived', () => {
    const offline = [new TypeError('Failed to fetch'), new DOMException('no response', 'TimeoutError')];
    for (const error of offline)
      expect(describeError(error).title, String(error)).to.equal('The server did not respond.');
    const faults = [
      new PageFailed('', { cause: new TypeError('x is undefined') }),
      new SyntaxError('x is undefined'),
      new InvalidId('x is undefined'),
      'x is undefined',
    ];
    for (const error of faults) {
      const { title, detail } = describeError(error);
      expect(title, String(error)).to.equal('The console had an error.');
      expect(detail).to.match(/^Reload the page\. .*: x is undefined$/);
    }
  });
});
