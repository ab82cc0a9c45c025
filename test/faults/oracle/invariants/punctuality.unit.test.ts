import { expect } from 'chai';
import type { Circumstances } from '../evidence.js';
import { ENDPOINT, endpoint, evidence, failures, post, SENT_AT, snapshot } from '../evidence-builders.js';
import { brokenNow } from '../judged.js';

describe('the oracle on punctuality', () => {
  describe('sees what is long past due (I4)', () => {
    const { rows, attempts } = failures(1);
    const late = rows.map((one) => ({ ...one, dueAt: SENT_AT, nextAttemptAt: SENT_AT }));
    const judged = (lateMs: number, circumstances: Partial<Circumstances>) =>
      brokenNow(
        evidence({
          now: snapshot({
            rows: late,
            attempts,
            endpoints: [endpoint({ streak: 1, streakVersion: 1 })],
            at: SENT_AT + lateMs,
          }),
          circumstances,
        }),
      );

    it('by 30 s, while nothing is done to the system', () => {
      expect(judged(29_000, {})).to.deep.equal([]);
      expect(judged(31_000, {})).to.deep.equal(['I4']);
    });

    it('by 120 s, also during a fault that leaves somebody to go on', () => {
      const faultBegan = SENT_AT - 1_000;
      expect(judged(119_000, { faultBegan })).to.deep.equal([]);
      expect(judged(121_000, { faultBegan })).to.deep.equal(['I4']);
      expect(judged(121_000, { faultBegan, faultEnded: SENT_AT + 100_000 })).to.deep.equal(['I4']);
    });

    it('by 120 s after a fault that stops everything', () => {
      const stopped = { faultBegan: SENT_AT - 1_000, outage: 'broker' } as const;
      expect(judged(200_000, stopped)).to.deep.equal([]);
      expect(judged(200_000, { ...stopped, faultEnded: SENT_AT + 90_000 })).to.deep.equal([]);
      expect(judged(211_000, { ...stopped, faultEnded: SENT_AT + 90_000 })).to.deep.equal(['I4']);
      expect(judged(121_000, { ...stopped, faultEnded: SENT_AT - 500 })).to.deep.equal(['I4']);
    });

    it('unless the endpoint gets too much', () => {
      expect(judged(31_000, { overloaded: new Set([ENDPOINT]) })).to.deep.equal([]);
    });
  });

  describe('sees a POST that came before its time (I5)', () => {
    const judged = (count: number, moments: readonly number[], circumstances: Partial<Circumstances> = {}) =>
      brokenNow(
        evidence({
          now: snapshot({
            ...failures(count),
            endpoints: [endpoint({ streak: count, streakVersion: count })],
          }),
          received: moments.map((at) => post({ at: SENT_AT + at })),
          circumstances,
        }),
      );
    const disruptions = [{ at: SENT_AT + 100, kind: 'death' }] as const;

    it('where each attempt has its POST', () => {
      expect(judged(2, [0, 600])).to.deep.equal([]);
      expect(judged(2, [0, 400])).to.deep.equal(['I5']);
      expect(judged(3, [0, 600, 1_300])).to.deep.equal(['I5']);
    });

    it('where one was repeated: from the first to the last lie all backoffs', () => {
      expect(judged(3, [0, 500, 600, 1_700], { disruptions })).to.deep.equal([]);
      expect(judged(3, [0, 100, 500, 1_200], { disruptions })).to.deep.equal(['I5']);
    });

    it('not where the receiver need not have heard of an attempt', () => {
      const { rows, attempts } = failures(3);
      const refused = { failureReason: 'connection_refused', httpStatus: null };
      const now = snapshot({
        rows,
        attempts: attempts.map((one) => (one.ordinal === 1 ? { ...one, ...refused } : one)),
        endpoints: [endpoint({ streak: 3, streakVersion: 3 })],
      });
      const received = [0, 5, 1_010].map((at) => post({ at: SENT_AT + at }));
      expect(brokenNow(evidence({ now, received, circumstances: { disruptions } }))).to.deep.equal([]);
    });
  });
});
