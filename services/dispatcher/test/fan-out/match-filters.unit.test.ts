import { expect } from 'chai';
import { createMatchFilters } from '../../src/fan-out/match-filters.js';

const aMatcher = (maxText?: number) => {
  const matchFilter = createMatchFilters(maxText);
  return (filter: string, payload: unknown) => matchFilter(filter, payload).matches;
};
const filterOf = (plan: string) => JSON.stringify({ plan: [plan] });

describe('createMatchFilters', () => {
  it('matches each filter by its own text', () => {
    const matches = aMatcher();
    for (const plan of ['team', 'free', 'team'])
      expect(matches(filterOf(plan), { plan: 'team' }), plan).to.equal(plan === 'team');
  });

  it('still matches filters that it could not keep', () => {
    const matches = aMatcher(100);
    const plans = Array.from({ length: 50 }, (_, index) => `plan ${index}`);
    for (const plan of [...plans, ...plans]) {
      expect(matches(filterOf(plan), { plan })).to.equal(true);
      expect(matches(filterOf(plan), { plan: 'another' })).to.equal(false);
    }
    expect(matches(filterOf('x'.repeat(200)), { plan: 'x'.repeat(200) }), 'one that is too long').to.equal(
      true,
    );
  });

  it('counts more checks for a filter that has to be compiled', () => {
    const matchFilter = createMatchFilters();
    const [first, second] = [0, 1].map(() => matchFilter(filterOf('team'), { plan: 'team' }).checks);
    expect(first).to.be.greaterThan(second!);
  });
});
