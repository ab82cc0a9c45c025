import { later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import fc from 'fast-check';
import { createStreakChain, type StreakEnd, type StreakLink } from '../../src/verify/streak-chain.js';

const LONG_AGO = later(-1_000_000_000);

/** The links of a streak of failures (true) and successes (false), one per second. */
function linksOf(failures: readonly boolean[]): StreakLink[] {
  let streak = 0;
  return failures
    .flatMap((fails, index) => {
      const before = streak;
      streak = fails ? before + 1 : 0;
      return before === streak ? [] : [{ version: 0, before, after: streak, at: later(index * 1_000) }];
    })
    .map((link, index) => ({ ...link, version: index + 1 }));
}
function endOf(links: readonly StreakLink[]): StreakEnd {
  const last = links.at(-1);
  const since = links.findLast(({ before }) => before === 0)?.at ?? null;
  const consecutiveFailures = last?.after ?? 0;
  const failingSince = consecutiveFailures === 0 ? null : since;
  return { streakVersion: last?.version ?? 0, consecutiveFailures, createdAt: NOON, failingSince };
}
const shuffled = fc
  .array(fc.boolean(), { minLength: 3, maxLength: 60 })
  .map(linksOf)
  .filter((links) => links.length > 2)
  .chain((links) =>
    fc.record({ links: fc.constant(links), order: fc.shuffledSubarray(links, { minLength: links.length }) }),
  );
function problemsOf(order: readonly StreakLink[], end: StreakEnd, completeSince = LONG_AGO): string[] {
  const chain = createStreakChain();
  const problems = order.map((link) => chain.add(link)).filter((one) => one !== null);
  return [...problems, ...chain.finish(end, completeSince)];
}

describe('streak chain', () => {
  it('accepts all links in any order', () => {
    fc.assert(
      fc.property(shuffled, ({ links, order }) => {
        expect(problemsOf(order, endOf(links))).to.deep.equal([]);
      }),
    );
  });

  it('reports missing versions', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ({ links, order }, choice) => {
        const lost = links[choice % links.length]!;
        const remaining = order.filter((link) => link !== lost);
        expect(problemsOf(remaining, endOf(links))).to.deep.equal([`version ${lost.version} is missing`]);
      }),
    );
    expect(problemsOf([], { ...endOf([]), streakVersion: 4 })).to.deep.equal(['versions 1 to 4 are missing']);
  });

  it('ignores missing links that may have expired with their deliveries', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ({ links, order }, choice) => {
        const first = links[choice % links.length]!;
        const remaining = order.filter(({ version }) => version >= first.version);
        expect(
          problemsOf(remaining, endOf(links), later(1, endOf(links).failingSince ?? first.at)),
        ).to.deep.equal([]);
      }),
    );
  });

  it('reports a version that occurs twice, in any position', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ({ links, order }, choice) => {
        const twice = order[choice % order.length]!;
        expect(problemsOf([...order, twice], endOf(links))).to.deep.equal([
          `version ${twice.version} occurs twice`,
        ]);
      }),
    );
  });

  it('reports links that do not join and a last link that differs from the endpoint', () => {
    const links = linksOf([true, true, false, true]);
    const other = { ...links[2]!, before: 7 };
    expect(problemsOf([links[0]!, links[1]!, other, links[3]!], endOf(links))).to.deep.equal([
      'version 3 starts at 7, but the previous one ended at 2',
    ]);
    expect(problemsOf(links, { ...endOf(links), consecutiveFailures: 2 })).to.deep.equal([
      'its last change ended at 1, but it is stored as 2',
    ]);
    expect(problemsOf([], { ...endOf([]), consecutiveFailures: 3 })).to.deep.equal([
      'it is stored as 3, but it never changed',
    ]);
  });

  it('reports an impossible change', () => {
    expect(problemsOf([{ version: 1, before: 0, after: 2, at: NOON }], endOf([]))).to.deep.equal([
      'version 1 changes from 0 to 2',
    ]);
  });
});
