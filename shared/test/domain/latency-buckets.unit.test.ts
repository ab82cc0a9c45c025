import { expect } from 'chai';
import { latencyBucket, latencyPercentiles } from '../../src/domain/latency-buckets.js';

describe('buckets of latencies', () => {
  it('are off by 13 % at most, up to a minute', () => {
    for (let ms = 2; ms < 60_000; ms = Math.ceil(ms * 1.1)) {
      const { p50 } = latencyPercentiles(new Map([[latencyBucket(ms), 1]]))!;
      expect(Math.abs(p50 - ms) / ms, `${ms} ms`).to.be.below(0.13);
    }
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
    expect(p50).to.be.within(8.7, 11.3);
    expect(p95).to.be.within(87, 113);
    expect(p99).to.be.within(870, 1_130);
    expect(latencyPercentiles(new Map())).to.equal(null);
  });
});
