import { expect } from 'chai';
import { besideTable, measuredIn, readMeasured } from './beside.js';
import type { Row } from './row.js';

describe('figures of systems beside each other', () => {
  const row = (value: number): Row => ({
    label: 'burst',
    figures: [{ name: 'deliveries', unit: '/s', value }],
    cost: { deliveries: 1, processes: [] },
    mismatches: [],
  });
  const ours = measuredIn('Postrider', [[row(10)], [row(30)], [row(20)]]);
  const others = [{ system: 'Other', figures: { burst: { 'deliveries, /s': 7 } } }];

  it('are the medians of all runs', () => {
    expect(ours).to.deep.equal({ system: 'Postrider', figures: { burst: { 'deliveries, /s': 20 } } });
  });

  it('have a column for each system, which may lack figures', () => {
    const table = besideTable([ours, ...others, { system: 'Third', figures: {} }]);
    expect(table.split('\n').map((line) => line.replace(/ +/g, ' '))).to.deep.equal([
      '| | Postrider | Other | Third |',
      '| --------------------- | --------: | ----: | ----: |',
      '| burst: deliveries, /s | 20.0 | 7.00 | – |',
    ]);
  });

  it('are read from a list, or from the same scenario of a report', () => {
    expect(readMeasured(JSON.stringify(others), 'compare')).to.deep.equal(others);
    const report = {
      scenarios: [
        { name: 'compare', measured: ours },
        { name: 'latency', measured: others[0] },
      ],
    };
    expect(readMeasured(JSON.stringify(report), 'compare')).to.deep.equal([ours]);
    expect(() => readMeasured('{}', 'compare')).to.throw('--json');
  });
});
