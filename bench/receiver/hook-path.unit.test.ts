import { expect } from 'chai';
import type { Answer } from './answer.js';
import { hookPath, parseHookPath } from './hook-path.js';

describe('the path of an endpoint', () => {
  const answers: Answer[] = [
    { kind: 'never' },
    { kind: 'after', delayMs: 0 },
    { kind: 'after', delayMs: 9_000 },
    { kind: 'fail', times: 6 },
  ];

  for (const answer of answers) {
    it(`tells the receiver how to answer: ${JSON.stringify(answer)}`, () => {
      const hook = { group: 'quick', answer };
      expect(parseHookPath(hookPath(hook, 17))).to.deep.equal(hook);
    });
  }

  it('of two endpoints of a group differs', () => {
    const hook = { group: 'quick', answer: { kind: 'never' } } as const;
    expect(hookPath(hook, 1)).to.not.equal(hookPath(hook, 2));
  });

  it('is refused when it says nothing that is known', () => {
    for (const path of ['/', '/quick', '/quick/sometimes/1', '/quick/after-/1', '/quick/after-1x/1'])
      expect(() => parseHookPath(path), path).to.throw('is no answer');
  });
});
