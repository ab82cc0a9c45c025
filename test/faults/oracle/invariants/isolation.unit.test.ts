import { attempt, audit, delivery, itChecksAtEnd, post, SENT_AT, snapshot } from '../builders.js';
import type { Interval } from '../evidence.js';

const ALL = Array.from({ length: 120 }, (_, index) => index);
const at = (index: number) => SENT_AT + index * 1_000;

interface Parts {
  readonly latencyOf: (index: number) => number;
  readonly indexes?: readonly number[];
  readonly checks?: readonly Interval[];
}

/** One event a second; the fault lasts from the 60th to the 100th. */
function run({ latencyOf, indexes = ALL, checks = [] }: Parts) {
  const all = indexes.map((index) => ({
    index,
    tokenId: `tok_${index}`,
    deliveryId: `whd_${index}`,
    sentAt: at(index),
    answeredAt: at(index),
  }));
  return {
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
  };
}

const latency = (before: number, during: number) => (index: number) => (index < 60 ? before : during);

describe('oracle, I9: failing endpoints do not slow healthy ones down', () => {
  const slowed = (before: number, during: number) => run({ latencyOf: latency(before, during) });
  const slowAt = (index: number) => (index === 70 || index === 71 ? 900 : 20);
  const checks = [{ from: at(70) + 100, to: at(71) + 500 }];
  const some = (indexes: readonly number[]) => run({ latencyOf: latency(20, 20), indexes });
  itChecksAtEnd({
    'reports 900 ms during a fault after 20 ms': [slowed(20, 900), 'I9'],
    'reports 120 ms during a fault after 20 ms': [slowed(20, 120), 'I9'],
    'reports 125 ms during a fault after 60 ms': [slowed(60, 125), 'I9'],
    'accepts the same latency': [slowed(20, 20)],
    'accepts a latency below 100 ms': [slowed(20, 95)],
    'accepts less than twice the latency': [slowed(60, 115)],
    'reports slow deliveries without a check': [run({ latencyOf: slowAt }), 'I9'],
    // Regression: a check blocks the receiver in the same process, and the oracle reported the delay that it caused.
    'ignores slow deliveries during a check': [run({ latencyOf: slowAt, checks })],
    'reports slow deliveries beside a check': [run({ latencyOf: latency(20, 900), checks }), 'I9'],
    'reports too few deliveries before the fault': [some(ALL.slice(20)), 'I9'],
    'reports too few deliveries during the fault': [some(ALL.slice(0, 80)), 'I9'],
  });
});
