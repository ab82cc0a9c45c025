import { expect } from 'chai';
import type { DeliveryRecord } from './delivery-record.js';
import { type Expectations, reconcile } from './reconcile.js';

const DELIVERED: DeliveryRecord = {
  group: 'quick',
  endpointId: 'whe_1',
  endpointDisabled: false,
  event: 0,
  madeAt: 0,
  arrivals: [5],
  status: 'delivered',
  attempts: 1,
  attemptRows: 1,
};
const EXPECTED: Expectations = {
  promised: [{ group: 'quick', attempts: 1 }],
  resends: 'forbidden',
  strangers: 0,
};

function accountOf(records: readonly Partial<DeliveryRecord>[], expected: Partial<Expectations> = {}) {
  const byId = new Map(records.map((record, index) => [`whd_${index}`, { ...DELIVERED, ...record }]));
  return reconcile(byId, { ...EXPECTED, ...expected });
}

describe('an account', () => {
  it('adds up when everything promised was delivered once', () => {
    expect(accountOf([{}, {}])).to.deep.equal({
      owed: 2,
      delivered: 2,
      missing: 0,
      undelivered: 0,
      repeatedPosts: 0,
      repeatedAttempts: 0,
      strangers: 0,
      mismatches: [],
    });
  });

  const nothing = { arrivals: [], attempts: 0, attemptRows: 0 };
  for (const [what, record, mismatch] of [
    ['has no row', { ...nothing, status: null }, '1 deliveries are owed and have no row'],
    ['is still pending', { ...nothing, status: 'pending' }, '1 deliveries were promised and did not end so'],
    ['failed', { status: 'failed' }, '1 deliveries were promised and did not end so'],
    [
      'is recorded as delivered and never arrived',
      { arrivals: [] },
      '1 deliveries were promised and did not end so',
    ],
    ['arrived twice', { arrivals: [5, 6] }, '1 POSTs were made again'],
    [
      'was attempted twice',
      { arrivals: [5, 6], attempts: 2, attemptRows: 2 },
      '1 attempts were made or stored more than once',
    ],
    ['has an attempt too many', { attemptRows: 2 }, '1 attempts were made or stored more than once'],
  ] as const) {
    it(`does not add up when a promised delivery ${what}`, () => {
      expect(
        accountOf([{}, { ...record, arrivals: [...(record.arrivals ?? [5])] }]).mismatches,
      ).to.deep.equal([mismatch]);
    });
  }

  it('does not add up when something belongs to nothing that was published', () => {
    expect(accountOf([], { strangers: 3 }).mismatches).to.deep.equal([
      '3 POSTs, rows or attempts belong to no event that was published',
    ]);
  });

  it('takes a POST that was made again where that is allowed, but no second attempt', () => {
    const again = { arrivals: [5, 6] };
    expect(accountOf([again], { resends: 'allowed' })).to.deep.include({ repeatedPosts: 1, mismatches: [] });
    expect(accountOf([{ ...again, attemptRows: 2 }], { resends: 'allowed' }).mismatches).to.have.length(1);
  });

  it('wants as many attempts as were promised', () => {
    const seven = { arrivals: [1, 2, 3, 4, 5, 6, 7], attempts: 7, attemptRows: 7 };
    expect(accountOf([seven], { promised: [{ group: 'quick', attempts: 7 }] }).mismatches).to.deep.equal([]);
    expect(accountOf([seven]).repeatedAttempts).to.equal(6);
  });

  it('wants deliveries that are to be given up to end as dead letters, with their bookkeeping', () => {
    const promised = [{ group: 'doomed', attempts: 7, end: 'dead_lettered' }] as const;
    const dead: Partial<DeliveryRecord> = {
      group: 'doomed',
      arrivals: [1, 2, 3, 4, 5, 6, 7],
      status: 'dead_lettered',
      attempts: 7,
      attemptRows: 8,
    };
    const mismatchesOf = (record: Partial<DeliveryRecord>) => accountOf([record], { promised }).mismatches;
    expect(mismatchesOf(dead)).to.deep.equal([]);
    expect(mismatchesOf({ ...dead, status: 'failed' })).to.have.length(2);
    expect(mismatchesOf({ ...dead, attemptRows: 9 })).to.have.length(1);
    expect(mismatchesOf({ ...dead, status: 'delivered', attemptRows: 7 })).to.have.length(1);
  });

  it('lets deliveries to which nothing was promised be in any state, their bookkeeping included', () => {
    const ill = { group: 'ill', arrivals: [] };
    const account = accountOf([
      { ...ill, status: 'pending', attempts: 0, attemptRows: 0 },
      { ...ill, status: 'failed', attempts: 2, attemptRows: 2 },
      { ...ill, status: 'failed_permanent', attempts: 1, attemptRows: 2 },
      { ...ill, status: 'dead_lettered', attempts: 7, attemptRows: 8 },
    ]);
    expect(account).to.deep.include({ owed: 4, delivered: 0, mismatches: [] });
  });

  it('misses their rows, and sees a POST more than is recorded', () => {
    expect(accountOf([{ group: 'ill', ...nothing, status: null }]).missing).to.equal(1);
    expect(accountOf([{ group: 'ill', status: 'failed', arrivals: [1, 2] }]).repeatedPosts).to.equal(1);
  });

  it('misses no row of an ill endpoint that was disabled, and every other one', () => {
    const gone = { ...nothing, status: null, endpointDisabled: true };
    expect(accountOf([{ ...gone, group: 'ill' }]).mismatches).to.deep.equal([]);
    expect(accountOf([gone]).missing).to.equal(1);
    expect(accountOf([{ ...gone, group: 'ill', endpointDisabled: false }]).missing).to.equal(1);
  });
});
