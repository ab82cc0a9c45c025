import { expect } from 'chai';
import { hookPath, loopbackAddresses, parseHookPath } from './hook-path.js';

describe('bench receiver URLs', () => {
  for (const behavior of [{}, { delayMs: 9_000 }, { failures: 6 }, { silent: true }]) {
    it(`contain the behavior ${JSON.stringify(behavior)}`, () => {
      const hook = { group: 'quick', behavior };
      expect(parseHookPath(hookPath(hook, 17))).to.deep.equal(hook);
      expect(hookPath(hook, 1)).to.not.equal(hookPath(hook, 2));
    });
  }

  it('are refused without a behavior', () => {
    for (const path of ['/', '/quick', '/quick/1?']) expect(() => parseHookPath(path), path).to.throw();
  });

  it('have one shared host and up to 512 others on Linux, one host elsewhere', () => {
    expect(loopbackAddresses(2, 'linux')).to.deep.equal(['127.77.0.1', '127.77.0.2', '127.77.0.3']);
    expect(new Set(loopbackAddresses(5_000, 'linux')).size).to.equal(513);
    expect(loopbackAddresses(5_000, 'linux').at(-1)).to.equal('127.77.2.13');
    expect(loopbackAddresses(500, 'darwin')).to.deep.equal(['127.0.0.1']);
  });
});
