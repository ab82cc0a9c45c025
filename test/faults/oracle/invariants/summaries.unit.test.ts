import { expect } from 'chai';
import {
  attempt,
  endpoint,
  evidence,
  facts,
  failures,
  row,
  SENT_AT,
  snapshot,
} from '../evidence-builders.js';
import { broken, brokenNow } from '../judged.js';

const SECOND = { id: 'whd_2', hash: 'second', tokenId: 'tok_2' };

describe('the oracle on summaries (I7)', () => {
  it('sees one that its attempts do not come to, that went back, or that has gone (I7)', () => {
    expect(broken(evidence({ now: snapshot({ rows: [row({ attempts: 2 })] }) }))).to.deep.equal(['I7']);
    const changed = snapshot({ rows: [row({ hash: 'other' })] });
    expect(broken(evidence({ before: changed }))).to.deep.equal(['I7']);
    expect(broken(evidence({ before: snapshot({ rows: [row(), row(SECOND)] }) }))).to.deep.equal(['I7']);
  });

  it('sees one whose last attempt is not the one that is stored', () => {
    for (const other of [
      { ordinal: 2 },
      { failureReason: 'timeout' },
      { httpStatus: 204 },
      { responseBody: 'other' },
      { attemptedAt: SENT_AT + 41 },
      { durationMs: null },
    ])
      expect(
        brokenNow(evidence({ now: snapshot({ rows: [row({ lastAttempt: facts(other) })] }) })),
        JSON.stringify(other),
      ).to.deep.equal(['I7']);
    expect(brokenNow(evidence({ now: snapshot({ rows: [row({ lastAttempt: null })] }) }))).to.deep.equal([
      'I7',
    ]);
  });

  it('keeps the last attempt where a record without one ended the delivery', () => {
    const { rows, attempts } = failures(1);
    const closed = { status: 'failed_permanent', failureReason: 'endpoint_disabled', httpStatus: null };
    const now = snapshot({
      rows: rows.map((one) => ({ ...one, ...closed, dueAt: null, nextAttemptAt: null })),
      attempts: [...attempts, attempt({ ...closed, ordinal: 2 })],
      endpoints: [endpoint({ streak: 1, streakVersion: 1 })],
    });
    expect(brokenNow(evidence({ now }))).to.deep.equal([]);
  });

  it('sees one that waits for another attempt and does not say when, or says so after its end', () => {
    const { rows, attempts } = failures(1);
    const judged = (nextAttemptAt: number | null) =>
      brokenNow(
        evidence({
          now: snapshot({
            rows: rows.map((one) => ({ ...one, nextAttemptAt })),
            attempts,
            endpoints: [endpoint({ streak: 1, streakVersion: 1 })],
          }),
        }),
      );
    expect(judged(SENT_AT + 60_000)).to.deep.equal([]);
    expect(judged(null)).to.deep.equal(['I7']);
    expect(judged(SENT_AT + 59_000)).to.deep.equal(['I7']);
    expect(brokenNow(evidence({ now: snapshot({ rows: [row({ nextAttemptAt: SENT_AT })] }) }))).to.deep.equal(
      ['I7'],
    );
  });
});
