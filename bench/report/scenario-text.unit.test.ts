import { expect } from 'chai';
import { reconcile } from '../account/reconcile.js';
import { aRow } from '../builders.js';
import { scenarioText } from './scenario-text.js';

describe('text of a scenario', () => {
  const p50 = (value: number | null, label = '100 a second') =>
    aRow({ label, figures: [{ name: 'p50', unit: 'ms', value, goal: { atMost: 12 } }] });
  const tablesOf = (...runs: ReturnType<typeof aRow>[][]) =>
    scenarioText(runs)
      .split('\n\n')
      .map((table) => table.split('\n'));

  it('shows the median and range of the runs, the goal and the CPU of all processes', () => {
    const [figures] = tablesOf([p50(10)], [p50(11_000)], [p50(9.876)], [p50(null)]);
    expect(figures).to.deep.equal([
      '|              |              p50, ms |   CPU µs each |',
      '| ------------ | -------------------: | ------------: |',
      '| 100 a second | 10.0 (9.88–11,000) ✓ | 300 (300–300) |',
    ]);
    expect(scenarioText([[p50(13)]])).to.contain(' 13.0 ✗ |');
    expect(scenarioText([[p50(null)]])).to.contain(' – |');
  });

  it('shows for each process CPU microseconds per delivery, CPU seconds and peak megabytes', () => {
    const [, cost] = tablesOf([aRow()]);
    expect(cost).to.deep.equal([
      '| CPU µs each · CPU s · peak MB |       dispatcher |           mongod |',
      '| ----------------------------- | ---------------: | ---------------: |',
      '| 100 a second                  | 200 · 0.20 · 200 | 100 · 0.10 · 300 |',
    ]);
  });

  it('shows no total if the CPU of a process is unknown', () => {
    const processes = [
      { name: 'dispatcher', cpuSeconds: 0.2, peakBytes: 1 },
      { name: 'kafka', cpuSeconds: null, peakBytes: null },
    ];
    const text = scenarioText([[aRow({ cost: { deliveries: 1_000, processes } })]]);
    expect(text).to.match(/ 10.0 ✓ \| +– \|/);
    expect(text).to.contain(' – · – · – |');
  });

  it('starts a new table for rows with other figures', () => {
    const memory = aRow({ label: 'idle', figures: [{ name: 'RSS', unit: 'MB', value: 100 }] });
    const text = scenarioText([[p50(10), p50(11, '500 a second'), memory]]);
    expect(text.match(/p50, ms/g)).to.have.length(1);
    expect(text).to.contain('RSS, MB');
  });

  it('shows the parts of a row in a table of their own', () => {
    const parts = ['api', 'dispatcher'].map((label, index) => ({
      label,
      figures: [{ name: 'longest gap', unit: 'ms', value: index + 1, goal: { atMost: 1 } }],
    }));
    expect(tablesOf([aRow({ parts })])[1]).to.deep.equal([
      '|            | longest gap, ms |',
      '| ---------- | --------------: |',
      '| api        |          1.00 ✓ |',
      '| dispatcher |          2.00 ✗ |',
    ]);
  });

  it('states that every delivery was accounted for', () => {
    const account = {
      ...reconcile(new Map(), { groups: [], resends: 'allowed', unexpected: 0 }),
      expected: 1_234,
    };
    expect(scenarioText([[aRow({ account })]])).to.contain(
      '1,234 deliveries were accounted for one by one: none lost, none twice.',
    );
    expect(scenarioText([[aRow({ account: { ...account, repeatedPosts: 5 } })]])).to.contain(
      'none lost, 5 POSTs repeated, none recorded twice.',
    );
  });

  it('lists the mismatches and warnings of all runs, and measurements that failed', () => {
    const text = scenarioText([
      [aRow({ mismatches: ['3 lost'], warnings: { 'read.failed': 2 } })],
      [aRow({ mismatches: ['1 twice'], warnings: { 'read.failed': 1, 'settle.failed': 1 } })],
    ]);
    expect(text).to.contain('- 100 a second: 3 lost\n- 100 a second: 1 twice');
    expect(text).to.contain('- 100 a second: 3 × read.failed, 1 × settle.failed');
    expect(text).to.not.contain('none lost');
    const failed = aRow({ figures: [], cost: { deliveries: 0, processes: [] }, mismatches: ['it broke'] });
    expect(scenarioText([[failed]])).to.match(/^0 deliveries .*\n\n- 100 a second: it broke$/);
  });
});
