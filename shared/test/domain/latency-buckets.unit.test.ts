import { expect } from 'chai';
import { exceeds, latencyBucket, latencyPercentiles } from '../../src/domain/latency-buckets.js';

describe('buckets of latencies', () => {
  it('bound a latency from above, which is up to 21 % shorter, up to a minute', () => {
    for (let ms = 2; ms < 60_000; ms = Math.ceil(ms * 1.01)) {
      const { p50 } = latencyPercentiles(new Map([[latencyBucket(ms), 1]]))!;
      expect(ms / p50, `${ms} ms`).to.be.within(0.79, 1);
    }
  });

  it('do not show attempts that ran into a deadline of 10 s as shorter, nor with more than three digits', () => {
    const at = (ms: number) => latencyPercentiles(new Map([[latencyBucket(ms), 50]]))!;
    expect(at(10_001)).to.deep.equal({ p50: 10_400, p95: 10_400, p99: 10_400 });
    expect([1, 3, 20, 100, 1_000, 70_000].map((ms) => at(ms).p50)).to.deep.equal([
      1, 3.18, 20.2, 102, 1_030, 65_600,
    ]);
  });

  it('show whether more than a share exceeds a limit', () => {
    const slow = (count: number) =>
      new Map([
        [latencyBucket(900), 100 - count],
        [latencyBucket(1_100), count],
      ]);
    const limit = { share: 0.05, limitMs: 1_000 };
    expect([0, 5, 6, 100].map((count) => exceeds(slow(count), limit))).to.deep.equal([
      false,
      false,
      true,
      true,
    ]);
    expect(exceeds(new Map(), limit)).to.equal(false);
  });

  it('have the extremes in the first and the last one', () => {
    expect([0, 0.5, 1, 60_001, 1e9].map(latencyBucket)).to.deep.equal([0, 0, 0, 48, 48]);
  });

  it('give percentiles, and none without latencies', () => {
    const buckets = new Map([
      [latencyBucket(10), 90],
      [latencyBucket(100), 8],
      [latencyBucket(1_000), 2],
    ]);
    const { p50, p95, p99 } = latencyPercentiles(buckets)!;
    expect(p50).to.be.within(10, 12.7);
    expect(p95).to.be.within(100, 127);
    expect(p99).to.be.within(1_000, 1_270);
    expect(latencyPercentiles(new Map())).to.equal(null);
  });
});
