import { PostriderError } from '@postrider/client';
import { expect } from 'chai';
import { describeError } from '../src/ui/describe-error.js';

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
});
