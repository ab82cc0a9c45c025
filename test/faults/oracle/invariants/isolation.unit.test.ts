import { expect } from 'chai';
import { attempt, audit, delivery, post, SENT_AT, snapshot, violatedAtEnd } from '../builders.js';
import type { Interval } from '../evidence.js';

const ALL = Array.from({ length: 120 }, (_, index) => index);
const at = (index: number) => SENT_AT + index * 1_000;

interface Run {
  readonly latencyOf: (index: number) => number;
  readonly indexes?: readonly number[];
  readonly checks?: readonly Interval[];
}

/** One event a second; the fault lasts from the 60th to the 100th. */
function violatedBy({ latencyOf, indexes = ALL, checks = [] }: Run) {
  const all = indexes.map((index) => ({
    index,
    tokenId: `tok_${index}`,
    deliveryId: `whd_${index}`,
    sentAt: at(index),
    answeredAt: at(index),
  }));
  return violatedAtEnd({
    events: all,
    received: all.map(({ index, deliveryId, tokenId, sentAt }) =>
      post({ deliveryId, at: sentAt + latencyOf(index), content: { deliveryId, tokenId } }),
    ),
    now: snapshot({
      at: at(200),
      deliveries: all.map(({ deliveryId, tokenId }) => delivery({ id: deliveryId, tokenId })),
      attempts: all.map(({ deliveryId }) => attempt({ deliveryId })),
      audits: all.map(({ tokenId }) => audit({ targetId: tokenId })),
    }),
    checks,
    conditions: { faultBegan: at(60), faultEnded: at(100), healthy: new Set(['/steady']) },
  });
}

const latency = (before: number, during: number) => (index: number) => (index < 60 ? before : during);

describe('oracle, I9: failing endpoints do not slow healthy ones down', () => {
  const CASES = [
    [20, 900, ['I9']],
    [20, 120, ['I9']],
    [60, 125, ['I9']],
    [20, 20, []],
    [20, 95, []],
    [60, 115, []],
  ] as const;
  for (const [before, during, expected] of CASES)
    it(`${expected.length > 0 ? 'reports' : 'accepts'} ${during} ms during a fault after ${before} ms`, () => {
      expect(violatedBy({ latencyOf: latency(before, during) })).to.deep.equal(expected);
    });

  // A check blocks the receiver in the same process: without this the oracle reported itself.
  it('ignores what was sent during a check', () => {
    const slowAt = (index: number) => (index === 70 || index === 71 ? 900 : 20);
    const checks = [{ from: at(70) + 100, to: at(71) + 500 }];
    expect(violatedBy({ latencyOf: slowAt })).to.deep.equal(['I9']);
    expect(violatedBy({ latencyOf: slowAt, checks })).to.deep.equal([]);
    expect(violatedBy({ latencyOf: latency(20, 900), checks })).to.deep.equal(['I9']);
  });

  it('reports too few deliveries before or during the fault', () => {
    for (const indexes of [ALL.slice(20), ALL.slice(0, 80)])
      expect(violatedBy({ latencyOf: latency(20, 20), indexes })).to.deep.equal(['I9']);
  });
});
