import { expect } from 'chai';
import { createArrivalLog, readArrivals } from './arrivals.js';
import { hookPath, loopbackAddresses, parseHookPath } from './hook-path.js';

describe('arrival log', () => {
  it('contains what was recorded, in order and over many blocks', () => {
    for (const count of [0, 16_384, 40_000]) {
      const arrivals = Array.from({ length: count }, (_, at) => ({ id: `whd_${at}`, at: at + 0.125 }));
      const log = createArrivalLog();
      for (const { id, at } of arrivals) log.add(id, at);
      expect(readArrivals(log.bytes())).to.deep.equal(arrivals);
    }
  });
});

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
