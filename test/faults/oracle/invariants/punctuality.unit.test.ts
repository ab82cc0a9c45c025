import { expect } from 'chai';
import { ENDPOINT, failures, post, SENT_AT, snapshot, violated } from '../builders.js';
import type { Conditions } from '../evidence.js';

describe('oracle, I4: overdue deliveries', () => {
  const state = failures(1);
  const deliveries = state.deliveries.map((row) => ({ ...row, dueAt: SENT_AT, nextAttemptAt: SENT_AT }));
  const violatedAfter = (seconds: number, conditions: Partial<Conditions> = {}) =>
    violated({ now: snapshot({ ...state, deliveries, at: SENT_AT + seconds * 1_000 }), conditions });
  const faultBegan = SENT_AT - 1_000;

  it('reports a delivery that is 30 s overdue before a fault', () => {
    expect(violatedAfter(29)).to.deep.equal([]);
    expect(violatedAfter(31)).to.deep.equal(['I4']);
  });

  it('reports a delivery that is 120 s overdue once a fault has begun', () => {
    expect(violatedAfter(119, { faultBegan })).to.deep.equal([]);
    expect(violatedAfter(121, { faultBegan })).to.deep.equal(['I4']);
    expect(violatedAfter(121, { faultBegan, faultEnded: SENT_AT + 100_000 })).to.deep.equal(['I4']);
  });

  it('counts the 120 s from the end of a fault that stops all dispatchers', () => {
    const stopped = { faultBegan, outage: 'broker' } as const;
    expect(violatedAfter(200, stopped)).to.deep.equal([]);
    expect(violatedAfter(200, { ...stopped, faultEnded: SENT_AT + 90_000 })).to.deep.equal([]);
    expect(violatedAfter(211, { ...stopped, faultEnded: SENT_AT + 90_000 })).to.deep.equal(['I4']);
    expect(violatedAfter(121, { ...stopped, faultEnded: SENT_AT - 500 })).to.deep.equal(['I4']);
  });

  it('ignores the deliveries of an overloaded endpoint', () => {
    expect(violatedAfter(31, { overloaded: new Set([ENDPOINT]) })).to.deep.equal([]);
  });
});

describe('oracle, I5: early POSTs', () => {
  const postsAt = (...moments: number[]) => moments.map((ms) => post({ at: SENT_AT + ms }));
  const conditions = { disruptions: [{ at: SENT_AT + 100, kind: 'exit' }] } as const;
  const violatedBy = (attempts: number, moments: readonly number[], disrupted = {}) =>
    violated({ now: snapshot(failures(attempts)), received: postsAt(...moments), conditions: disrupted });

  it('reports a POST that came before its backoff had passed', () => {
    expect(violatedBy(2, [0, 600])).to.deep.equal([]);
    expect(violatedBy(2, [0, 400])).to.deep.equal(['I5']);
    expect(violatedBy(3, [0, 600, 1_300])).to.deep.equal(['I5']);
  });

  it('compares the first and the last POST with the sum of the backoffs if one was repeated', () => {
    expect(violatedBy(3, [0, 500, 600, 1_700], conditions)).to.deep.equal([]);
    expect(violatedBy(3, [0, 100, 500, 1_200], conditions)).to.deep.equal(['I5']);
  });

  it('ignores attempts that may not have reached the receiver', () => {
    const state = failures(3);
    const refused = { failureReason: 'connection_refused', httpStatus: null };
    const attempts = state.attempts.map((one) => (one.ordinal === 1 ? { ...one, ...refused } : one));
    const now = snapshot({ ...state, attempts });
    expect(violated({ now, received: postsAt(0, 5, 1_010), conditions })).to.deep.equal([]);
  });
});
