import { expect } from 'chai';
import type { DeliveryRecord } from '../account/delivery-records.js';
import { aRecord } from '../builders.js';
import { changeFigures, secondsLost } from './changes.js';
import { sharedStreams } from './crowd.js';
import { latenessOf } from './delay.js';
import {
  deliveriesOf,
  keptRateFigure,
  latencyFigures,
  rateFigure,
  ratioFigure,
  stackCpuFigure,
  waitingEndpointsFigure,
  worstWindowFigures,
} from './figures.js';
import { CASES } from './isolation.js';

const recordsOf = (...records: Partial<DeliveryRecord>[]) =>
  new Map(records.map((record, index) => [`whd_${index}`, aRecord(record)]));
const valuesOf = (figures: readonly { name: string; value: number | null }[]) =>
  Object.fromEntries(figures.map(({ name, value }) => [name, value]));

describe('bench figures', () => {
  it('show a rate, or null for a span without an end', () => {
    expect(rateFigure('deliveries', 500, { from: 1_000, to: 3_000 }).value).to.equal(250);
    expect(rateFigure('deliveries', 500, { from: 1_000, to: null }).value).to.equal(null);
  });

  it('show the latency of first arrivals only', () => {
    const figures = latencyFigures([
      aRecord({ createdAt: 100, arrivals: [110, 9_000] }),
      aRecord({ createdAt: 200, arrivals: [230] }),
      aRecord({ createdAt: 300 }),
    ]);
    expect(valuesOf(figures)).to.deep.equal({ p50: 10, p95: 30, p99: 30, max: 30 });
  });

  it('include only deliveries of the given events and groups', () => {
    const records = recordsOf({ event: 4 }, { event: 5 }, { event: 6, group: 'unhealthy' }, { event: 7 });
    const published = { first: 5, events: 2, lagP99Ms: null };
    expect(deliveriesOf(records, published, ['quick']).map(({ event }) => event)).to.deep.equal([5]);
  });

  it('show the rate kept: arrivals in a span divided by deliveries created in it', () => {
    const records = recordsOf(
      { createdAt: 90, arrivals: [110] },
      { createdAt: 120, arrivals: [130] },
      { createdAt: 140, arrivals: [250] },
      { createdAt: 150 },
      { createdAt: 150, arrivals: [160], group: 'unhealthy' },
    );
    const keptOf = (some: typeof records) =>
      keptRateFigure(some, { from: 100, to: 200 }, ['quick'], { atLeast: 1 }).value;
    expect(keptOf(records)).to.be.closeTo(2 / 3, 1e-9);
    expect(keptOf(recordsOf())).to.equal(null);
  });

  it('count the endpoints that waited for a delivery for more than five seconds, or did not get it', () => {
    const figure = waitingEndpointsFigure([
      aRecord({ endpointId: 'prompt', createdAt: 0, arrivals: [5_000] }),
      aRecord({ endpointId: 'late', createdAt: 0, arrivals: [5_001] }),
      aRecord({ endpointId: 'late', createdAt: 10, arrivals: [6_000] }),
      aRecord({ endpointId: 'lost', createdAt: 0 }),
    ]);
    expect(figure.value).to.equal(2);
  });

  it('compare a p99 with that of a baseline', () => {
    const p99 = (value: number) => [{ name: 'p99', unit: 'ms', value }];
    const baseline = { figures: p99(10) } as never;
    const ratioTo = (other: typeof baseline | null) =>
      ratioFigure('times p99', 'p99', { figures: p99(30), baseline: other }, { atMost: 2 }).value;
    expect(ratioTo(baseline)).to.equal(3);
    expect(ratioTo(null)).to.equal(null);
  });

  it('show the worst window of five seconds, without what is left at the end', () => {
    const slow = aRecord({ createdAt: 7_000, arrivals: [10_100] });
    const quick = [0, 4_900, 6_000, 14_000].map((at) => aRecord({ createdAt: at, arrivals: [at + 20] }));
    const figures = worstWindowFigures([...quick, slow], { from: 0, to: 13_000 });
    expect(valuesOf(figures)).to.deep.equal({ 'p99 of the worst 5 s': 3_100, 'rate kept in each 5 s': 0.5 });
    expect(valuesOf(worstWindowFigures([], { from: 0, to: 5_000 }))).to.deep.equal({
      'p99 of the worst 5 s': null,
      'rate kept in each 5 s': null,
    });
  });

  it('show the CPU of the stack for each delivery without generator and receiver', () => {
    const names = ['dispatcher', 'mongod', 'kafka', 'registry', 'generator', 'receiver'];
    const processes = names.map((name) => ({ name, cpuSeconds: 1, peakBytes: null }));
    const goal = { atMost: 14_000 };
    expect(stackCpuFigure(processes, 1_000, goal)).to.deep.include({ value: 4_000, goal });
  });

  it('show how late each retry was', () => {
    const arrivals = [0, 105, 310, 612, 1_020, 1_525, 2_132];
    expect(latenessOf([{ arrivals }, { arrivals: [0, 101] }], 100)).to.deep.equal([5, 5, 2, 8, 5, 7, 1]);
  });

  it('show the seconds of throughput lost without what was caught up later', () => {
    expect(secondsLost([100, 0, 50, 300], 100, 250)).to.equal(0.375);
    expect(secondsLost([], 100, 250)).to.equal(null);
  });
});

describe('figures of a change under load', () => {
  const figuresOf = (...arrivalsByCreation: [number, number[]][]) => {
    const change = { label: 'api 1', span: { from: 1_000, to: 2_000 }, stopMs: 120 };
    const deliveries = arrivalsByCreation.map(([createdAt, arrivals]) => aRecord({ createdAt, arrivals }));
    return valuesOf(changeFigures(change, deliveries, 4).figures);
  };

  it('show no loss if deliveries arrive at their rate', () => {
    const steady = [1_000, 1_250, 1_500, 1_750].map((at): [number, number[]] => [at - 5, [at]]);
    expect(figuresOf(...steady)).to.deep.equal({
      'longest gap': 250,
      'throughput lost': 0,
      'longest wait': 5,
      'stopped after': 120,
      'POSTs made twice': 0,
    });
  });

  it('show a gap and the longest wait', () => {
    const figures = figuresOf([1_000, [1_001]], [1_250, [1_900]], [1_500, [1_901]]);
    expect(figures).to.include({ 'longest gap': 899, 'throughput lost': 0.5, 'longest wait': 650 });
  });

  it('count repeated POSTs of the span, which fill no gap', () => {
    const figures = figuresOf([1_000, [1_000, 1_500]], [900, [900, 2_500]], [1_300, [1_900]]);
    expect(figures).to.include({ 'longest gap': 900, 'POSTs made twice': 1 });
  });
});

describe('cases of isolation', () => {
  it('have 500 endpoints and observe healthy groups only', () => {
    for (const { label, groups, observed } of CASES) {
      expect(
        groups.reduce((sum, { count }) => sum + count, 0),
        label,
      ).to.equal(500);
      const healthy = groups.filter(({ expected }) => expected !== null).map(({ name }) => name);
      expect(healthy, label).to.include.members([...observed]);
    }
  });
});

describe('streams of a crowd in one workspace', () => {
  it('have as many deliveries a second as with a workspace for each endpoint, also with a smaller crowd', () => {
    for (const silent of [2_000, 100]) {
      const [quick, crowd] = sharedStreams(silent).map(({ perSecond }) => perSecond);
      expect([quick, crowd! * silent], `${silent} silent`).to.deep.equal([600, 400]);
    }
  });
});
