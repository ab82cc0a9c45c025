import { expect } from 'chai';
import { aRow } from './builders.js';
import { isReached, summarise } from './summary.js';

describe('the summary of several runs', () => {
  const p50 = (value: number | null) =>
    aRow({ figures: [{ name: 'p50', unit: 'ms', value, goal: { atMost: 12 } }] });

  it('brings the runs of each row together', () => {
    const other = aRow({ label: '500 a second' });
    const rows = summarise([
      [p50(10), other],
      [p50(30), other],
      [p50(20), other],
    ]);
    expect(rows.map(({ label }) => label)).to.deep.equal(['100 a second', '500 a second']);
    expect(rows[0]?.figures).to.deep.equal([
      {
        name: 'p50',
        unit: 'ms',
        goal: { atMost: 12 },
        spread: { median: 20, least: 10, greatest: 30, runs: 3 },
      },
    ]);
  });

  it('brings the parts of each row together, too', () => {
    const part = (value: number) => ({ label: 'api', figures: [{ name: 'stop', unit: 'ms', value }] });
    const [row] = summarise([[aRow({ parts: [part(1)] })], [aRow({ parts: [part(3)] })]]);
    expect(row?.parts.map(({ label, figures }) => [label, figures[0]?.spread])).to.deep.equal([
      ['api', { median: 2, least: 1, greatest: 3, runs: 2 }],
    ]);
    expect(summarise([[aRow()]])[0]?.parts).to.deep.equal([]);
  });

  it('tells the CPU of each delivery, for each process and for all', () => {
    const [row] = summarise([[aRow()]]);
    expect(row?.cpuPerDelivery?.median).to.be.closeTo(300, 1e-9);
    expect(row?.processes.map(({ name, cpuPerDelivery }) => [name, cpuPerDelivery?.median])).to.deep.equal([
      ['dispatcher', 200],
      ['mongod', 100],
    ]);
  });

  it('knows no total while it does not know a part', () => {
    const processes = [
      { name: 'dispatcher', cpuSeconds: 0.2, peakBytes: 1 },
      { name: 'kafka', cpuSeconds: null, peakBytes: null },
    ];
    const [row] = summarise([[aRow({ cost: { deliveries: 1_000, processes } })]]);
    expect(row?.cpuPerDelivery).to.equal(null);
    expect(row?.processes[1]?.cpuSeconds).to.equal(null);
  });

  it('forgets no mismatch and no complaint of any run', () => {
    const [row] = summarise([
      [aRow({ mismatches: ['1 lost'], complaints: { 'read.failed': 2 } })],
      [aRow({ mismatches: ['2 twice'], complaints: { 'read.failed': 1, 'settle.failed': 1 } })],
    ]);
    expect(row?.mismatches).to.deep.equal(['1 lost', '2 twice']);
    expect(row?.complaints).to.deep.equal({ 'read.failed': 3, 'settle.failed': 1 });
  });

  it('holds the median against the goal', () => {
    const spread = { median: 10, least: 0, greatest: 99, runs: 3 };
    expect(isReached({ spread, goal: { atMost: 10 } })).to.equal(true);
    expect(isReached({ spread, goal: { atMost: 9 } })).to.equal(false);
    expect(isReached({ spread, goal: { atLeast: 10 } })).to.equal(true);
    expect(isReached({ spread, goal: { atLeast: 11 } })).to.equal(false);
    expect(isReached({ spread })).to.equal(null);
    expect(isReached({ spread: null, goal: { atLeast: 1 } })).to.equal(null);
  });
});
