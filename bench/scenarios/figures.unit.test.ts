import { expect } from 'chai';
import type { DeliveryRecord } from '../account/delivery-record.js';
import { latenessByTier } from './delay.js';
import { deliveriesOf, keptFigure, latencyFigures, rateFigure, timesFigure } from './figures.js';
import { CASES, ILL, NOBODY_ILL } from './illness.js';
import { secondsLost } from './rebalance.js';

function delivery(overrides: Partial<DeliveryRecord>): DeliveryRecord {
  const rest = { status: 'delivered', attempts: 1, attemptRows: 1 } as const;
  return {
    group: 'quick',
    endpointId: 'whe_1',
    endpointDisabled: false,
    event: 0,
    madeAt: 0,
    arrivals: [],
    ...rest,
    ...overrides,
  };
}
const recordsOf = (...records: Partial<DeliveryRecord>[]) =>
  new Map(records.map((record, index) => [`whd_${index}`, delivery(record)]));

describe('the figures of a scenario', () => {
  it('have the rate of what happened in a span, unknown while that has no end', () => {
    expect(rateFigure('deliveries', 500, { from: 1_000, to: 3_000 }).value).to.equal(250);
    expect(rateFigure('deliveries', 500, { from: 1_000, to: null }).value).to.equal(null);
  });

  it('have the latency of first arrivals only', () => {
    const figures = latencyFigures([
      delivery({ madeAt: 100, arrivals: [110, 9_000] }),
      delivery({ madeAt: 200, arrivals: [230] }),
      delivery({ madeAt: 300 }),
    ]);
    expect(figures.map(({ name, value }) => [name, value])).to.deep.equal([
      ['p50', 10],
      ['p95', 30],
      ['p99', 30],
      ['max', 30],
    ]);
  });

  it('are those of the events that were published for them, of the groups in question', () => {
    const records = recordsOf({ event: 4 }, { event: 5 }, { event: 6, group: 'ill' }, { event: 7 });
    const published = { first: 5, events: 2, lagP99Ms: null };
    expect(deliveriesOf(records, published, ['quick']).map(({ event }) => event)).to.deep.equal([5]);
  });

  it('have what a group kept of its rate: what came in a span for each that was owed in it', () => {
    const records = recordsOf(
      { madeAt: 90, arrivals: [110] },
      { madeAt: 120, arrivals: [130] },
      { madeAt: 140, arrivals: [250] },
      { madeAt: 150 },
      { madeAt: 150, arrivals: [160], group: 'ill' },
    );
    const kept = { span: { from: 100, to: 200 }, groups: ['quick'], goal: { atLeast: 1 } };
    expect(keptFigure(records, kept).value).to.be.closeTo(2 / 3, 1e-9);
    expect(keptFigure(recordsOf(), kept).value).to.equal(null);
  });

  it('compare a p99 with one that was measured before', () => {
    const latencies = [{ name: 'p99', unit: 'ms', value: 30 }];
    expect(timesFigure(latencies, 10, { atMost: 2 }).value).to.equal(3);
    expect(timesFigure(latencies, null, { atMost: 2 }).value).to.equal(null);
  });

  it('have how late each retry was, tier by tier', () => {
    const step = 100;
    const arrivals = [0, 105, 310, 612, 1_020, 1_525, 2_132];
    const [first, second, ...others] = latenessByTier([{ arrivals }, { arrivals: [0, 101] }], step);
    expect([first, second]).to.deep.equal([[5, 1], [5]]);
    expect(others).to.deep.equal([[2], [8], [5], [7]]);
  });

  it('have the seconds of throughput that are missing, without what was caught up', () => {
    expect(secondsLost([100, 0, 50, 300], 100, 250)).to.equal(0.375);
    expect(secondsLost([], 100, 250)).to.equal(null);
  });
});

describe('the cases of illness', () => {
  for (const { label, groups, watched } of [NOBODY_ILL, ...CASES]) {
    it(`${label}: 500 endpoints, of which only healthy ones are watched`, () => {
      expect(groups.reduce((sum, { count }) => sum + count, 0)).to.equal(500);
      expect(watched).to.not.include(ILL);
      expect(groups.map(({ name }) => name)).to.include.members([...watched]);
    });
  }

  it('have as many ill ones as their labels say', () => {
    const counts = CASES.map(({ groups }) => groups.find(({ name }) => name === ILL)?.count);
    expect(counts).to.deep.equal([50, 100, 200, 50, 200, 25, 25, 4]);
  });
});
