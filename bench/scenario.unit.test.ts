import { expect } from 'chai';
import { aRow } from './builders.js';
import { parseOptions } from './options.js';
import { type Context, countOf, measureRows, secondsOf } from './scenario.js';

describe('bench scenario', () => {
  const context = (...args: string[]) => ({ options: parseOptions(args, []) }) as unknown as Context;

  it('is shortened by the scale down to a lower bound', () => {
    expect([context(), context('--scale', '0.1')].map((one) => secondsOf(one, 60))).to.deep.equal([60, 6]);
    expect(secondsOf(context('--scale', '0.001'), 60)).to.equal(2);
    expect(countOf(context('--scale', '0.1'), 10_000)).to.equal(1_000);
    expect(countOf(context('--scale', '0.001'), 10_000)).to.equal(100);
    expect(countOf(context('--scale', '0.001'), 50)).to.equal(50);
  });

  it('measures the selected rows and the rows that they are compared with', async () => {
    const plan = (label: string, baseline?: string) => ({
      label,
      ...(baseline !== undefined && { baseline }),
      measure: async (row: { label: string } | null) => aRow({ label, mismatches: [`${row?.label}`] }),
    });
    const plans = [plan('none'), plan('10 % dead', 'none'), plan('20 % dead', 'none'), plan('other')];
    const measured = async (...args: string[]) =>
      (await measureRows(context(...args), plans)).map(({ label, mismatches }) => [label, ...mismatches]);
    expect(await measured('--only', '10 %')).to.deep.equal([
      ['none', 'undefined'],
      ['10 % dead', 'none'],
    ]);
    expect(await measured('--only', 'other')).to.deep.equal([['other', 'undefined']]);
    expect(await measured()).to.have.length(4);
  });

  it('names the labels if none is selected', async () => {
    const lines: string[] = [];
    const plan = (label: string) => ({ label, measure: async () => aRow({ label }) });
    const silent = { ...context('--only', '100,000'), progress: (line: string) => lines.push(line) };
    expect(await measureRows(silent, [plan('10,000 events'), plan('none')])).to.deep.equal([]);
    expect(lines).to.deep.equal([
      'no label contains "100,000"; with these options, the labels are "10,000 events", "none"',
    ]);
  });
});
