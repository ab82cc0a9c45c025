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

  it('have a column for each run of one version, and a line for each figure that any system has', () => {
    const earlier = { system: 'Postrider', figures: { burst: { 'deliveries, /s': 5, 'memory, MB': 9 } } };
    const table = besideTable([ours, earlier]);
    expect(table.split('\n').map((line) => line.replace(/ +/g, ' '))).to.deep.equal([
      '| | Postrider | Postrider (2) |',
      '| --------------------- | --------: | ------------: |',
      '| burst: deliveries, /s | 20.0 | 5.00 |',
      '| burst: memory, MB | – | 9.00 |',
    ]);
  });

  it('include those of the parts of a row', () => {
    const parts = [{ label: 'kafka', figures: [{ name: 'PSS', unit: 'MB', value: 3 }] }];
    expect(measuredIn('Postrider', [[{ ...row(10), parts }]]).figures).to.deep.equal({
      burst: { 'deliveries, /s': 10 },
      'burst, kafka': { 'PSS, MB': 3 },
    });
  });

  it('are refused before anything is measured if a table could not show them', () => {
    const refused = [
      [[{ system: 'Other', figures: null }], '--json'],
      [[{ system: 'Other', figures: { burst: { rate: 'fast' } } }], '--json'],
      [{ scenarios: [{ name: 'latency' }] }, '--json'],
      [{ scenarios: [{ name: 'latency', measured: ours }] }, 'lacks the scenario compare; it has latency'],
    ] as const;
    for (const [content, reason] of refused)
      expect(() => readMeasured(JSON.stringify(content), 'compare')).to.throw(reason);
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
