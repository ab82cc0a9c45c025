import { expect } from 'chai';
import fc from 'fast-check';
import {
  countFairly,
  isOutage,
  mergeDomains,
  noOutageBefore,
  unreachedShare,
} from '../../src/guard/judge-outage.js';
import { domainsOf, SETTINGS } from './domains.js';

const workspaces = (count: number, each: number, unreached: number) =>
  Array.from({ length: count }, (_, index) => domainsOf(`ws${index}`, each, unreached)).flat();
const BAD_CUSTOMER = [...domainsOf('bad', 1_000, 1_000), ...workspaces(2, 3, 0)];
const HEALTHY_CUSTOMER = [...domainsOf('big', 1_000, 0), ...workspaces(20, 5, 5)];

describe('isOutage', () => {
  const TABLE = [
    ['twenty domains of three workspaces are unreached', workspaces(3, 7, 7), 0, true],
    ['four fifths are unreached', workspaces(5, 10, 8), 0, true],
    ['fewer than four fifths are unreached', workspaces(5, 10, 7), 0, false],
    ['there are exactly twenty domains', workspaces(4, 5, 5), 0, true],
    ['there are fewer than twenty domains', workspaces(3, 6, 6), 0, false],
    ['there are two workspaces', workspaces(2, 100, 100), 0, false],
    ['many were unreached before', workspaces(5, 10, 10), 0.3, false],
    ['few were unreached before', workspaces(5, 10, 10), 0.29, true],
    ['nothing was tried', [], 0, false],
    ['one customer fails among healthy ones', BAD_CUSTOMER, 0, false],
    ['one big customer is healthy while all others fail', HEALTHY_CUSTOMER, 0, true],
  ] as const;
  for (const [what, domains, baseline, expected] of TABLE)
    it(`is ${expected} if ${what}`, () => expect(isOutage(domains, baseline, SETTINGS)).to.equal(expected));

  it('needs three workspaces, even if one may count for everything', () => {
    const rule = { ...SETTINGS, workspaceShare: 1 };
    expect(isOutage(workspaces(2, 100, 100), 0, rule)).to.equal(false);
    expect(isOutage(workspaces(3, 100, 100), 0, rule)).to.equal(true);
  });

  it('is never caused by the domains of one workspace', () => {
    const sizes = fc.array(fc.nat({ max: 300 }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.nat({ max: 3_000 }), sizes, (bad, healthy) => {
        const others = healthy.flatMap((count, index) => domainsOf(`ws${index}`, count, 0));
        return !isOutage([...domainsOf('bad', bad, bad), ...others], 0, SETTINGS);
      }),
      { numRuns: 100 },
    );
  });

  it('counts every workspace for a fifth at most, or for its part of the minimum', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(sizes, (counts) => {
        const domains = counts.flatMap((count, index) =>
          domainsOf(`ws${index}`, count, index === 0 ? count : 0),
        );
        const { tried, unreached } = countFairly(domains, SETTINGS);
        return unreached <= Math.max(7, tried / 5);
      }),
      { numRuns: 100 },
    );
  });
});

describe('countFairly', () => {
  const domains = [...domainsOf('bad', 100, 100), ...workspaces(10, 5, 0)];
  const TABLE = [
    ['its part of the minimum', 0, { tried: 57, unreached: 7 }],
    ['a fifth', 0.2, { tried: 62, unreached: 12 }],
    ['a half', 0.5, { tried: 100, unreached: 50 }],
    ['everything', 1, { tried: 150, unreached: 100 }],
  ] as const;
  for (const [what, workspaceShare, expected] of TABLE)
    it(`counts a workspace for ${what} at most`, () =>
      expect(countFairly(domains, { ...SETTINGS, workspaceShare })).to.include(expected));
});

describe('mergeDomains', () => {
  it('takes a domain for unreached only if every process does', () => {
    const entry = (unreached: boolean) => ({ domain: 'a.example', workspaceId: 'ws', unreached });
    expect(mergeDomains([entry(true), entry(false)])).to.deep.equal([entry(false)]);
    expect(mergeDomains([entry(false), entry(true)])).to.deep.equal([entry(false)]);
    expect(mergeDomains([entry(true), entry(true)])).to.deep.equal([entry(true)]);
  });
});

describe('unreachedShare', () => {
  it('is the fraction of domains that are unreached, and 0 if none was tried', () => {
    expect(unreachedShare(workspaces(5, 4, 1), SETTINGS)).to.equal(0.25);
    expect(unreachedShare(workspaces(5, 4, 0), SETTINGS)).to.equal(0);
    expect(unreachedShare([], SETTINGS)).to.equal(0);
  });
});

describe('noOutageBefore', () => {
  /** Domains of five workspaces, the first of which were reached at these times. */
  const reachedAt = (count: number, ...times: number[]) =>
    workspaces(5, count / 5, 0).map((domain, index) => ({
      ...domain,
      reachedAt: times[index] ?? Number.NEGATIVE_INFINITY,
    }));
  const NEVER = Number.NEGATIVE_INFINITY;
  const TABLE = [
    ['more than a fifth were reached', reachedAt(20, 50, 40, 30, 20, 10), 10],
    ['a fifth was reached', reachedAt(20, 50, 40, 30, 20), NEVER],
    ['three of few were reached', reachedAt(5, 10, 30, 20), 10],
    ['two of few were reached', reachedAt(5, 10, 30), NEVER],
    ['nothing was tried', [], NEVER],
  ] as const;
  for (const [what, domains, expected] of TABLE)
    it(`is ${expected} if ${what}`, () => expect(noOutageBefore(domains, SETTINGS)).to.equal(expected));

  it('needs as many domains as the rule says', () => {
    const at = (domains: ReturnType<typeof reachedAt>, reachedNeeded: number) =>
      noOutageBefore(domains, { ...SETTINGS, reachedNeeded });
    expect(at(reachedAt(5, 10, 30), 2)).to.equal(10);
    expect(at(reachedAt(5, 10, 30, 20), 4)).to.equal(NEVER);
  });

  it('is not decided by the domains of one workspace', () => {
    const big = domainsOf('big', 1_000, 0).map((one) => ({ ...one, reachedAt: 10 }));
    const others = workspaces(20, 5, 0).map((one) => ({ ...one, reachedAt: Number.NEGATIVE_INFINITY }));
    expect(noOutageBefore([...others, ...big], SETTINGS)).to.equal(NEVER);
  });

  it('excludes exactly the outages that the rule cannot find', () => {
    const sizes = fc.array(fc.record({ count: fc.nat({ max: 40 }), reached: fc.nat({ max: 40 }) }), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(sizes, (all) => {
        const domains = all.flatMap(({ count, reached }, index) =>
          domainsOf(`ws${index}`, count, count - Math.min(reached, count)),
        );
        const own = domains.map((one) => ({ ...one, reachedAt: one.unreached ? NEVER : 10 }));
        return noOutageBefore(own, SETTINGS) === NEVER || !isOutage(domains, 0, SETTINGS);
      }),
      { numRuns: 200 },
    );
  });
});
