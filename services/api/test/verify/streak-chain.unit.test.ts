import { later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import fc from 'fast-check';
import { createStreakChain, type StreakEnd, type StreakLink } from '../../src/verify/streak-chain.js';

const LONG_AGO = later(-1_000_000_000);

/** A streak that fails and recovers as told, one change a second. */
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
function told(order: readonly StreakLink[], end: StreakEnd, completeSince = LONG_AGO): string[] {
  const chain = createStreakChain();
  const wrong = order.map((link) => chain.add(link)).filter((one) => one !== null);
  return [...wrong, ...chain.finish(end, completeSince)];
}

describe('the chain of a streak', () => {
  it('is whole in whatever order its links are found', () => {
    fc.assert(
      fc.property(shuffled, ({ links, order }) => {
        expect(told(order, endOf(links))).to.deep.equal([]);
      }),
    );
  });

  it('names the versions that are missing', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ({ links, order }, choice) => {
        const gone = links[choice % links.length]!;
        const left = order.filter((link) => link !== gone);
        expect(told(left, endOf(links))).to.deep.equal([`version ${gone.version} is missing`]);
      }),
    );
    expect(told([], { ...endOf([]), streakVersion: 4 })).to.deep.equal(['versions 1 to 4 are missing']);
  });

  it('does not miss what may have gone with its delivery', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ({ links, order }, choice) => {
        const first = links[choice % links.length]!;
        const left = order.filter(({ version }) => version >= first.version);
        expect(told(left, endOf(links), later(1, endOf(links).failingSince ?? first.at))).to.deep.equal([]);
      }),
    );
  });

  it('tells of a version that is told twice, whatever lies between', () => {
    fc.assert(
      fc.property(shuffled, fc.nat(), ({ links, order }, choice) => {
        const twice = order[choice % order.length]!;
        expect(told([...order, twice], endOf(links))).to.deep.equal([
          `version ${twice.version} is told twice`,
        ]);
      }),
    );
  });

  it('tells where a link does not begin as the one before ended, and where the endpoint stands elsewhere', () => {
    const links = linksOf([true, true, false, true]);
    const other = { ...links[2]!, before: 7 };
    expect(told([links[0]!, links[1]!, other, links[3]!], endOf(links))).to.deep.equal([
      'version 3 begins at 7, but the one before it left 2',
    ]);
    expect(told(links, { ...endOf(links), consecutiveFailures: 2 })).to.deep.equal([
      'its last change left 1, but it stands at 2',
    ]);
    expect(told([], { ...endOf([]), consecutiveFailures: 3 })).to.deep.equal([
      'it stands at 3 without ever having changed',
    ]);
  });

  it('tells of a step that is none', () => {
    expect(told([{ version: 1, before: 0, after: 2, at: NOON }], endOf([]))).to.deep.equal([
      'version 1 steps from 0 to 2',
    ]);
  });
});
