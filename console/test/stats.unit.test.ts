import { expect } from 'chai';
import {
  axisEnd,
  latestDurations,
  linePath,
  type StatsItem,
  segmentsOf,
  spanOf,
  successRateOf,
} from '../src/overview/stats.js';

const NOTHING: StatsItem = {
  start: '2026-03-01T09:00:00.000Z',
  delivered: 0,
  failed: 0,
  failedPermanent: 0,
  deadLettered: 0,
  held: 0,
  attempts: 0,
  latencyMs: null,
};
const NOW = new Date('2026-03-31T09:30:00.000Z');

describe('deliveries over time', () => {
  it('asks for whole steps that end with the current one', () => {
    expect(spanOf('24h', NOW)).to.deep.equal({ from: '2026-03-30T10:00:00.000Z', step: 'hour' });
    expect(spanOf('7d', NOW)).to.deep.equal({ from: '2026-03-24T10:00:00.000Z', step: 'hour' });
    expect(spanOf('30d', NOW)).to.deep.equal({ from: '2026-03-02T00:00:00.000Z', step: 'day' });
  });

  it('stacks the outcomes that occurred', () => {
    expect(segmentsOf({ ...NOTHING, delivered: 5, deadLettered: 2, held: 1 })).to.deep.equal([
      { outcome: 'delivered', below: 0, count: 5 },
      { outcome: 'deadLettered', below: 5, count: 2 },
      { outcome: 'held', below: 7, count: 1 },
    ]);
    expect(segmentsOf(NOTHING)).to.deep.equal([]);
  });

  it('has a success rate of what ended, and none where nothing did', () => {
    const items = [
      { ...NOTHING, delivered: 3, failed: 7, held: 9 },
      { ...NOTHING, failedPermanent: 1 },
    ];
    expect(successRateOf(items)).to.equal(0.75);
    expect(successRateOf([{ ...NOTHING, failed: 7 }])).to.equal(null);
  });

  it('shows the durations of the latest step with attempts', () => {
    const latencyMs = { p50: 20, p95: 90, p99: 228 };
    expect(latestDurations([NOTHING, { ...NOTHING, latencyMs }, NOTHING])).to.deep.equal(latencyMs);
    expect(latestDurations([NOTHING])).to.equal(null);
  });

  it('ends an axis at 1, 2 or 5 times a power of ten', () => {
    expect([0, 1, 3, 10, 51, 100, 201, 730].map(axisEnd)).to.deep.equal([1, 1, 5, 10, 100, 100, 500, 1_000]);
  });

  it('interrupts a line where a value is missing', () => {
    expect(linePath([10, 5, null, 0], 10)).to.equal('M0 0.00H1L1 50.00H2M3 100.00H4');
  });
});
