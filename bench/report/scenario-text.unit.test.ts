import { expect } from 'chai';
import { aRow } from './builders.js';
import { formatNumber } from './format-number.js';
import { scenarioText } from './scenario-text.js';
import { summarise } from './summary.js';
import { formatTable } from './table.js';

describe('a number in a report', () => {
  for (const [value, text] of [
    [null, '–'],
    [0, '0.00'],
    [0.987, '0.99'],
    [12.34, '12.3'],
    [123.4, '123'],
    [5_678.9, '5,679'],
    [-12.34, '-12.3'],
  ] as const) {
    it(`${value} is written as ${text}`, () => {
      expect(formatNumber(value)).to.equal(text);
    });
  }
});

describe('a table', () => {
  it('has columns that are aligned', () => {
    expect(
      formatTable({
        heading: ['', 'p50, ms'],
        lines: [
          ['slow', '1'],
          ['a', '200'],
        ],
      }),
    ).to.equal(
      [
        '|      | p50, ms |', // the columns are as wide as their widest cell
        '| ---- | ------: |',
        '| slow |       1 |',
        '| a    |     200 |',
      ].join('\n'),
    );
  });
});

describe('the text of a scenario', () => {
  const p50 = (value: number, label = '100 a second') =>
    aRow({ label, figures: [{ name: 'p50', unit: 'ms', value, goal: { atMost: 12 } }] });

  it('has the median, what the runs lie between, and whether the goal is reached', () => {
    const text = scenarioText(summarise([[p50(10)], [p50(11)], [p50(40)]]));
    expect(text).to.contain(' p50, ms |');
    expect(text).to.contain('11.0 (10.0–40.0) ✓');
    expect(scenarioText(summarise([[p50(13)]]))).to.contain(' 13.0 ✗ |');
  });

  it('has what every process used: microseconds for each delivery, seconds, megabytes at most', () => {
    const text = scenarioText(summarise([[aRow()]]));
    expect(text).to.contain('dispatcher');
    expect(text).to.contain('200 · 0.20 · 200');
    expect(text).to.contain('100 · 0.10 · 300');
  });

  it('begins a new table where the figures are others', () => {
    const memory = aRow({ label: 'idle', figures: [{ name: 'RSS', unit: 'MB', value: 100 }] });
    const text = scenarioText(summarise([[p50(10), p50(11, '500 a second'), memory]]));
    expect(text.match(/p50, ms/g)).to.have.length(1);
    expect(text).to.contain('RSS, MB');
  });

  it('has the parts of a row in a table of their own, without what the whole of it used', () => {
    const parts = ['api', 'dispatcher'].map((label, index) => ({
      label,
      figures: [{ name: 'longest gap', unit: 'ms', value: index + 1, goal: { atMost: 1 } }],
    }));
    const [, table = ''] = scenarioText(summarise([[aRow({ parts })]])).split('\n\n');
    expect(table.split('\n')).to.deep.equal([
      '|            | longest gap, ms |',
      '| ---------- | --------------: |',
      '| api        |          1.00 ✓ |',
      '| dispatcher |          2.00 ✗ |',
    ]);
  });

  it('says that everything was accounted for', () => {
    const account = { owed: 1_234, delivered: 1_234, missing: 0, undelivered: 0 };
    const clean = { ...account, repeatedPosts: 0, repeatedAttempts: 0, strangers: 0, mismatches: [] };
    expect(scenarioText(summarise([[aRow({ account: clean })]]))).to.contain(
      '1,234 deliveries were accounted for one by one: none lost, none twice.',
    );
    expect(scenarioText(summarise([[aRow({ account: { ...clean, repeatedPosts: 5 } })]]))).to.contain(
      'none lost, 5 POSTs made again, none recorded twice.',
    );
  });

  it('says what did not add up, and of what the services complained', () => {
    const text = scenarioText(
      summarise([[aRow({ mismatches: ['3 lost'], complaints: { 'read.failed': 2 } })]]),
    );
    expect(text).to.contain('- 100 a second: 3 lost');
    expect(text).to.not.contain('none lost');
    expect(text).to.contain('- 100 a second: 2 × read.failed');
  });

  it('has rows that could not be measured among what did not add up', () => {
    const failed = aRow({ figures: [], cost: { deliveries: 0, processes: [] }, mismatches: ['it broke'] });
    expect(scenarioText(summarise([[failed]]))).to.match(/^0 deliveries .*\n\n- 100 a second: it broke$/);
  });
});
