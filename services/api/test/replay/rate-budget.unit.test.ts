import { expect } from 'chai';
import { createRateBudget } from '../../src/replay/rate-budget.js';

describe('rate budget', () => {
  function budgetAt(perSecond: number) {
    let now = 0;
    const budget = createRateBudget(perSecond, () => now);
    return {
      ...budget,
      after(ms: number) {
        now += ms;
      },
    };
  }

  for (const perSecond of [1, 3, 50, 200, 1_000]) {
    it(`keeps ${perSecond} per second within a tenth, however irregularly it is asked`, () => {
      const budget = budgetAt(perSecond);
      let taken = 0;
      for (let n = 0; n < 400; n += 1) {
        budget.after(150 + ((n * 37) % 200));
        taken += budget.take(1_000);
      }
      const seconds =
        Array.from({ length: 400 }, (_, n) => 150 + ((n * 37) % 200)).reduce((a, b) => a + b) / 1_000;
      expect(taken).to.be.within(0.9 * perSecond * seconds - 1, 1.1 * perSecond * seconds);
    });
  }

  it('gives no row before its time', () => {
    const budget = budgetAt(1);
    budget.after(999);
    expect(budget.take(1)).to.equal(0);
    budget.after(1);
    expect(budget.take(1)).to.equal(1);
  });

  it('starts with nothing and keeps what was not used for two seconds', () => {
    const budget = budgetAt(100);
    expect(budget.take(10)).to.equal(0);
    budget.after(60_000);
    expect(budget.take(1_000)).to.equal(200);
    budget.giveBack(20);
    expect(budget.take(1_000)).to.equal(20);
  });
});
