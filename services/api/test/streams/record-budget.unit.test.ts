import { expect } from 'chai';
import { createRecordBudget } from '../../src/streams/record-budget.js';

describe('record budget', () => {
  it('gives each workspace what it has, and back what it took over time', () => {
    let nowMs = 0;
    const budget = createRecordBudget({ most: 100, perSecond: 10, monotonicMs: () => nowMs });
    expect(budget.take('ws_1', 101)).to.equal(false);
    expect(budget.take('ws_1', 80)).to.equal(true);
    expect(budget.take('ws_1', 21)).to.equal(false);
    expect(budget.take('ws_2', 100)).to.equal(true);
    nowMs += 1_000;
    expect(budget.take('ws_1', 30)).to.equal(true);
    expect(budget.take('ws_1', 1)).to.equal(false);
    nowMs += 60_000;
    expect(budget.take('ws_1', 101)).to.equal(false);
    expect(budget.take('ws_1', 100)).to.equal(true);
  });
});
