import { expect } from 'chai';
import type { Counter } from '../../src/rate-limits/counter.js';
import { createRateLimits, multiply } from '../../src/rate-limits/rate-limits.js';
import { recordedLog } from '../recorded-log.js';

const LIMITS = { rest_read: 2, rest_write: 1, mcp: 0, assistant: 1, publish: 1 };

describe('multiply', () => {
  it('multiplies the limit of each bucket, and leaves a bucket without one', () => {
    const limits = { rest_read: 2, rest_write: 3, mcp: 6, assistant: 4, publish: 0 };
    const multiplied = { rest_read: 20, rest_write: 30, mcp: 60, assistant: 40, publish: 0 };
    expect(multiply(limits, 10)).to.deep.equal(multiplied);
  });
});

describe('rate limits', () => {
  /** Creates limits with this shared counter and a manual clock. */
  function createLimits(shared: Counter | null) {
    const time = { now: 0 };
    const log = recordedLog();
    const limits = createRateLimits({
      limits: LIMITS,
      shared: shared && (() => shared),
      monotonicMs: () => time.now,
      log,
    });
    return { limits, time, log };
  }
  const plenty = { isAdmitted: true, remaining: 100, resetsInMs: 1_000 };

  it('count each client and bucket separately', async () => {
    const { limits } = createLimits(null);
    const admitted = async (bucket: 'rest_read' | 'rest_write', client: string) =>
      (await limits(bucket, client))!.isAdmitted;
    expect(await admitted('rest_write', 'a')).to.equal(true);
    expect(await admitted('rest_write', 'a')).to.equal(false);
    expect(await admitted('rest_write', 'b')).to.equal(true);
    expect(await admitted('rest_read', 'a')).to.equal(true);
  });

  it('return the limit, the remaining requests and the reset time', async () => {
    const { limits } = createLimits(null);
    const first = await limits('rest_read', 'a');
    expect(first).to.include({ limit: 2, remaining: 1, isAdmitted: true });
    expect(first!.resetsInMs).to.be.within(1, 60_000);
    await limits('rest_read', 'a');
    expect(await limits('rest_read', 'a')).to.include({ limit: 2, remaining: 0, isAdmitted: false });
  });

  it('are off when the limit is 0', async () => {
    expect(await createLimits(null).limits('mcp', 'a')).to.equal(null);
  });

  it('use the shared counter while it works', async () => {
    const { limits } = createLimits(async () => plenty);
    for (let count = 0; count < 5; count += 1) {
      expect(await limits('rest_write', 'a')).to.deep.equal({ limit: 1, ...plenty });
    }
  });

  for (const [name, shared] of [
    ['fails', async () => Promise.reject(new Error('gone'))],
    ['does not respond', () => new Promise<never>(() => {})],
  ] as const) {
    it(`count in the process for a while when the shared counter ${name}`, async () => {
      let calls = 0;
      const { limits, time, log } = createLimits(() => {
        calls += 1;
        return shared();
      });
      const startedAt = performance.now();
      expect((await limits('rest_write', 'a'))!.isAdmitted).to.equal(true);
      expect(performance.now() - startedAt).to.be.below(400);
      expect((await limits('rest_write', 'a'))!.isAdmitted).to.equal(false);
      expect(calls).to.equal(1);
      time.now += 5_000;
      await limits('rest_write', 'b');
      expect(calls).to.equal(2);
      expect(log.lines.map(({ level }) => level)).to.deep.equal(['warn', 'warn']);
    });
  }
});
