import { expect } from 'chai';
import { aRecord } from '../builders.js';
import type { DeliveryRecord } from './delivery-records.js';
import { type Expectations, reconcile } from './reconcile.js';

const DELIVERED = aRecord({ arrivals: [5] });
const EXPECTATIONS: Expectations = {
  groups: [
    { name: 'quick', expected: { attempts: 1, status: 'delivered' } },
    { name: 'flaky', expected: { attempts: 7, status: 'delivered' } },
    { name: 'failing', expected: { attempts: 7, status: 'dead_lettered' } },
    { name: 'unhealthy', expected: null },
  ],
  resends: 'forbidden',
  unexpected: 0,
};
const NOTHING_SEEN = { arrivals: [], attempts: 0, attemptRows: 0, status: null };
const SEVEN = { arrivals: [1, 2, 3, 4, 5, 6, 7], attempts: 7, attemptRows: 7 };

function accountOf(records: readonly Partial<DeliveryRecord>[], overrides: Partial<Expectations> = {}) {
  const byId = new Map(records.map((record, index) => [`whd_${index}`, { ...DELIVERED, ...record }]));
  return reconcile(byId, { ...EXPECTATIONS, ...overrides });
}

describe('account of deliveries', () => {
  it('adds up if every expected delivery was delivered once', () => {
    expect(accountOf([{}, {}])).to.deep.equal({
      expected: 2,
      delivered: 2,
      missing: 0,
      unfinished: 0,
      repeatedPosts: 0,
      repeatedAttempts: 0,
      unexpected: 0,
      mismatches: [],
    });
  });

  const unfinished = '1 deliveries did not end as expected';
  const repeated = '1 attempts were made or stored more than once';
  for (const [what, record, mismatch] of [
    ['has no row', NOTHING_SEEN, '1 expected deliveries have no row'],
    ['is still pending', { ...NOTHING_SEEN, status: 'pending' }, unfinished],
    ['failed', { status: 'failed' }, unfinished],
    ['is recorded as delivered but never arrived', { arrivals: [] }, unfinished],
    ['arrived twice', { arrivals: [5, 6] }, '1 POSTs were repeated'],
    ['was attempted twice', { arrivals: [5, 6], attempts: 2, attemptRows: 2 }, repeated],
    ['has more attempt rows than attempts', { attemptRows: 2 }, repeated],
  ] as const) {
    it(`reports an expected delivery that ${what}`, () => {
      const changed = { ...record, arrivals: [...(record.arrivals ?? [5])] };
      expect(accountOf([{}, changed]).mismatches).to.deep.equal([mismatch]);
    });
  }

  it('reports POSTs, rows and attempts that belong to no published event', () => {
    expect(accountOf([], { unexpected: 3 }).mismatches).to.deep.equal([
      '3 POSTs, rows or attempts belong to no published event',
    ]);
  });

  it('permits repeated POSTs if resends are allowed, but no second attempt', () => {
    const again = { arrivals: [5, 6] };
    expect(accountOf([again], { resends: 'allowed' })).to.deep.include({ repeatedPosts: 1, mismatches: [] });
    expect(accountOf([{ ...again, attemptRows: 2 }], { resends: 'allowed' }).mismatches).to.have.length(1);
  });

  it('requires the expected number of attempts', () => {
    expect(accountOf([{ ...SEVEN, group: 'flaky' }]).mismatches).to.deep.equal([]);
    expect(accountOf([SEVEN]).repeatedAttempts).to.equal(6);
  });

  it('requires deliveries that always fail to end as dead letters with one bookkeeping row', () => {
    const dead = { ...SEVEN, group: 'failing', status: 'dead_lettered', attemptRows: 8 } as const;
    expect(accountOf([dead]).mismatches).to.deep.equal([]);
    expect(accountOf([{ ...dead, status: 'failed' }]).mismatches).to.have.length(2);
    expect(accountOf([{ ...dead, attemptRows: 9 }]).mismatches).to.have.length(1);
    expect(accountOf([{ ...dead, status: 'delivered', attemptRows: 7 }]).mismatches).to.have.length(1);
  });

  it('accepts any state of deliveries to unhealthy endpoints', () => {
    const unhealthy = { group: 'unhealthy', arrivals: [] };
    const account = accountOf([
      { ...unhealthy, status: 'pending', attempts: 0, attemptRows: 0 },
      { ...unhealthy, status: 'failed', attempts: 2, attemptRows: 2 },
      { ...unhealthy, status: 'failed_permanent', attempts: 1, attemptRows: 2 },
      { ...unhealthy, status: 'dead_lettered', attempts: 7, attemptRows: 8 },
    ]);
    expect(account).to.deep.include({ expected: 4, delivered: 0, mismatches: [] });
  });

  it('reports missing rows and unrecorded POSTs of unhealthy endpoints', () => {
    expect(accountOf([{ ...NOTHING_SEEN, group: 'unhealthy' }]).missing).to.equal(1);
    expect(accountOf([{ group: 'unhealthy', status: 'failed', arrivals: [1, 2] }]).repeatedPosts).to.equal(1);
  });

  it('accepts missing rows only for unhealthy endpoints that were disabled', () => {
    const disabled = { ...NOTHING_SEEN, endpointDisabled: true };
    expect(accountOf([{ ...disabled, group: 'unhealthy' }]).mismatches).to.deep.equal([]);
    expect(accountOf([disabled]).missing).to.equal(1);
    expect(accountOf([{ ...disabled, group: 'unhealthy', endpointDisabled: false }]).missing).to.equal(1);
  });
});
