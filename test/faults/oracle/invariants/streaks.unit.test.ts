import {
  attempt,
  audit,
  delivery,
  ENDPOINT,
  endpoint,
  failures,
  itChecks,
  itChecksAtEnd,
  notification,
  post,
  result,
  SENT_AT,
  type SnapshotParts,
  snapshot,
} from '../builders.js';
import type { AuditRow, StreakChange } from '../snapshot.js';

const streakOf = (streak: number, streakVersion: number) => [endpoint({ streak, streakVersion })];

describe('oracle, I3: failure streaks', () => {
  const state = failures(2);
  const received = [post(), post({ at: SENT_AT + 1_000 })];
  const changed = (streak: StreakChange | null) => state.attempts.map((one) => ({ ...one, streak }));
  const failed = (parts: SnapshotParts) => ({ now: snapshot({ ...state, ...parts }), received });
  const fork = changed({ version: 1, before: 0, after: 1 });
  const success = (streak: StreakChange | null, endpoints: ReturnType<typeof streakOf>) => ({
    before: snapshot(state),
    now: snapshot({
      deliveries: [...state.deliveries, delivery({ id: 'whd_2', tokenId: 'tok_2' })],
      attempts: [...state.attempts, attempt({ deliveryId: 'whd_2', streak })],
      endpoints,
    }),
    received: [
      ...received,
      post({ deliveryId: 'whd_2', content: { deliveryId: 'whd_2', tokenId: 'tok_2' } }),
    ],
  });
  itChecks({
    'reports a failure that was counted twice': [failed({ endpoints: streakOf(3, 3) }), 'I3'],
    'reports two changes of the same streak': [failed({ attempts: fork, endpoints: streakOf(1, 1) }), 'I3'],
    'reports a failure that was not counted': [
      failed({ attempts: changed(null), endpoints: streakOf(0, 0) }),
      'I3',
    ],
    'accepts a success that reset the streak': [success({ version: 3, before: 2, after: 0 }, streakOf(0, 3))],
    'reports a success that did not reset the streak': [success(null, streakOf(2, 2)), 'I3'],
    'reports a streak that returned to an earlier change': [
      { before: snapshot({ endpoints: streakOf(0, 2) }) },
      'I3',
    ],
  });

  const remaining = state.attempts.map((one, index) => {
    return { ...one, streak: { version: index + 8, before: index + 3, after: index + 4 } };
  });
  const partial = (endpoints: ReturnType<typeof streakOf>, attempts = remaining) => ({
    ...failed({ attempts, endpoints }),
    conditions: { retentionMs: 1_000 },
  });
  itChecks({
    'accepts the end of a chain at the stored streak': [partial(streakOf(5, 9))],
    'accepts a part of a chain without its latest changes': [partial(streakOf(0, 12))],
    'reports a change newer than the stored streak': [partial(streakOf(5, 8)), 'I3'],
    'reports the end of a chain at another streak': [partial(streakOf(4, 9)), 'I3'],
    'reports a fork in a part of a chain': [
      {
        ...failed({ attempts: changed({ version: 8, before: 3, after: 4 }), endpoints: streakOf(4, 8) }),
        conditions: { retentionMs: 1_000 },
      },
      'I3',
    ],
  });
});

describe('oracle, I3: endpoints disabled by failures', () => {
  const answer = { failureReason: 'http_status', httpStatus: 404 };
  const status = { status: 'failed_permanent', failureReason: 'http_status' };
  const twenty = Array.from({ length: 20 }, (_, index) => ({
    deliveryId: `whd_${index}`,
    streak: { version: index + 1, before: index, after: index + 1 },
  }));
  const audited = (...audits: AuditRow[]) => ({
    events: [],
    received: [],
    now: snapshot({
      deliveries: twenty.map(({ deliveryId: id }) =>
        delivery({ ...status, id, tokenId: null, lastAttempt: result(answer) }),
      ),
      attempts: twenty.map((one) => attempt({ ...status, ...answer, ...one })),
      endpoints: [endpoint({ streak: 20, streakVersion: 20, enabled: false })],
      notifications: [notification({ kind: 'endpoint_disabled', failingSince: null })],
      audits,
    }),
  });
  const disabled = audit({
    id: 'aud_2',
    action: 'webhook_endpoint.disabled',
    targetId: ENDPOINT,
    reason: 'consecutive_failures',
    createdAt: SENT_AT - 6_000,
    streak: { version: 20, before: 19, after: 20 },
  });
  itChecksAtEnd({
    'accepts one audit entry': [audited(disabled)],
    'reports no audit entry': [audited(), 'I3', 'I11'],
    'reports two audit entries': [audited(disabled, { ...disabled, id: 'aud_3' }), 'I3', 'I11'],
  });
});
