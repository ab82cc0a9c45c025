import { expect } from 'chai';
import {
  attempt,
  delivery,
  failures,
  result,
  SENT_AT,
  snapshot,
  violated,
  violatedAtEnd,
} from '../builders.js';

describe('oracle, I7: summaries', () => {
  const violatedBy = (differences: Parameters<typeof delivery>[0]) =>
    violated({ now: snapshot({ deliveries: [delivery(differences)] }) });

  it('reports a summary that differs from its attempts, was changed at its end, or was removed', () => {
    const now = snapshot({ deliveries: [delivery({ attempts: 2 })] });
    expect(violatedAtEnd({ now })).to.deep.equal(['I7']);
    const second = delivery({ id: 'whd_2', hash: 'second', tokenId: 'tok_2' });
    for (const deliveries of [[delivery({ hash: 'other' })], [delivery(), second]])
      expect(violatedAtEnd({ before: snapshot({ deliveries }) })).to.deep.equal(['I7']);
  });

  for (const other of [
    { ordinal: 2 },
    { failureReason: 'timeout' },
    { httpStatus: 204 },
    { responseBody: 'other' },
    { attemptedAt: SENT_AT + 41 },
    { durationMs: null },
    null,
  ])
    it(`reports a last attempt that differs from the stored one: ${JSON.stringify(other)}`, () => {
      expect(violatedBy({ lastAttempt: other && result(other) })).to.deep.equal(['I7']);
    });

  it('keeps the last attempt if a bookkeeping record closed the delivery', () => {
    const state = failures(1);
    const closed = { status: 'failed_permanent', failureReason: 'endpoint_disabled', httpStatus: null };
    const now = snapshot({
      ...state,
      deliveries: state.deliveries.map((row) => ({ ...row, ...closed, dueAt: null, nextAttemptAt: null })),
      attempts: [...state.attempts, attempt({ ...closed, ordinal: 2 })],
    });
    expect(violated({ now })).to.deep.equal([]);
  });

  it('reports a waiting delivery without the time of its retry, and a finished one with it', () => {
    const state = failures(1);
    const violatedWith = (nextAttemptAt: number | null) =>
      violated({
        now: snapshot({ ...state, deliveries: state.deliveries.map((row) => ({ ...row, nextAttemptAt })) }),
      });
    expect(violatedWith(SENT_AT + 60_000)).to.deep.equal([]);
    expect(violatedWith(null)).to.deep.equal(['I7']);
    expect(violatedWith(SENT_AT + 59_000)).to.deep.equal(['I7']);
    expect(violatedBy({ nextAttemptAt: SENT_AT })).to.deep.equal(['I7']);
  });
});
