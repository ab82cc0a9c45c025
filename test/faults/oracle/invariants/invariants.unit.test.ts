import {
  attempt,
  audit,
  DELIVERY,
  delivery,
  ENDPOINT,
  type EvidenceParts,
  endpoint,
  failures,
  itChecks,
  itChecksAtEnd,
  post,
  replayAudit,
  result,
  SENT_AT,
  type SnapshotParts,
  snapshot,
} from '../builders.js';
import type { Received } from '../evidence.js';
import type { DeliveryRow } from '../snapshot.js';

const NOTHING = { deliveries: [], attempts: [] };
const otherAttempt = attempt({ deliveryId: 'whd_2' });
const now = (parts: SnapshotParts) => ({ now: snapshot(parts) });
const earlier = (parts: SnapshotParts) => ({ before: snapshot(parts) });
const stored = (differences: Partial<DeliveryRow>) => now({ deliveries: [delivery(differences)] });

describe('oracle', () => {
  itChecks({
    'reports nothing for a correct run': [{}],
    'reports nothing for a failed delivery that waits for its retry': [
      { ...now(failures(2)), received: [post(), post({ at: SENT_AT + 1_000 })] },
    ],
  });
  itChecksAtEnd({ 'reports nothing at the end of a correct run': [{}] });
});

describe('oracle, I1: nothing is lost', () => {
  const unexpected = (parts: SnapshotParts): [EvidenceParts] => [
    { ...now({ ...NOTHING, ...parts }), received: [] },
  ];
  const changed = (action: string, createdAt: number) => ({
    audits: [audit(), audit({ action: `webhook_endpoint.${action}`, targetId: ENDPOINT, createdAt })],
  });
  const replay = { kind: 'replay', deliveryId: 'whd_9', sentAt: SENT_AT, answeredAt: SENT_AT } as const;
  itChecksAtEnd({
    'reports an event without a delivery': [...unexpected({}), 'I1'],
    'reports an unfinished delivery': [now(failures(1)), 'I1'],
    'reports a delivered delivery without a POST': [{ received: [] }, 'I1'],
    'reports a delivered delivery whose POST was not answered': [
      { received: [post({ answer: null })] },
      'I1',
    ],
    'reports an accepted replay without a delivery': [
      { sends: [replay], ...now({ audits: [audit(), replayAudit('whd_9')] }) },
      'I1',
    ],
    'expects no delivery for an endpoint created shortly before': unexpected({
      endpoints: [endpoint({ createdAt: SENT_AT - 4_000 })],
    }),
    'expects no delivery for an endpoint changed shortly before': unexpected(
      changed('updated', SENT_AT - 3_000),
    ),
    'expects no delivery for an endpoint disabled before': unexpected(changed('disabled', SENT_AT - 60_000)),
    'expects no delivery for an endpoint of another workspace': [
      { ...now(NOTHING), received: [], conditions: { otherWorkspaces: new Map([[ENDPOINT, 'other']]) } },
    ],
    'reports an event of another workspace without a delivery there': [
      {
        ...now(NOTHING),
        received: [],
        events: [{ tokenId: 'tok_1', sentAt: SENT_AT, answeredAt: SENT_AT + 10, workspace: 'other' }],
        conditions: { otherWorkspaces: new Map([[ENDPOINT, 'other']]) },
      },
      'I1',
    ],
    'expects no delivery for an endpoint that subscribes to other events': unexpected({
      endpoints: [endpoint({ eventTypes: ['billing.plan_changed'] })],
    }),
  });
});

describe('oracle, I2: deliveries and attempts', () => {
  const disabled = { status: 'failed_permanent', failureReason: 'endpoint_disabled' };
  const closing = (ordinal: number) => attempt({ ordinal, ...disabled });
  const eight = Array.from({ length: 8 }, (_, index) => attempt({ ordinal: index + 1 }));
  const withSecondPost = { received: [post(), post({ deliveryId: 'whd_2' })] };
  itChecks({
    'reports a gap in the ordinals': [
      now({ deliveries: [delivery({ attempts: 2 })], attempts: [attempt(), attempt({ ordinal: 3 })] }),
      'I2',
      'I5',
      'I7',
    ],
    'reports two closing records': [
      now({ deliveries: [delivery(disabled)], attempts: [attempt(), closing(2), closing(3)] }),
      'I2',
    ],
    'reports more than seven attempts': [
      now({ deliveries: [delivery({ attempts: 8 })], attempts: eight }),
      'I2',
      'I5',
      'I7',
    ],
    'reports two deliveries of an event to an endpoint': [
      {
        ...now({ deliveries: [delivery(), delivery({ id: 'whd_2' })], attempts: [attempt(), otherAttempt] }),
        ...withSecondPost,
      },
      'I2',
    ],
    'reports an attempt without a delivery': [now({ attempts: [attempt(), otherAttempt] }), 'I2'],
    'reports an attempt that was changed': [earlier({ attempts: [attempt({ hash: 'other' })] }), 'I2'],
    'reports an attempt that was removed': [
      earlier({ attempts: [attempt(), attempt({ ordinal: 2 })] }),
      'I2',
    ],
  });
});

describe('oracle, I6: replays', () => {
  const replay = (differences: Partial<DeliveryRow>) => ({
    ...now({
      deliveries: [delivery(), delivery({ id: 'whd_2', replayedFrom: DELIVERY, ...differences })],
      attempts: [attempt(), otherAttempt],
      audits: [audit(), replayAudit('whd_2')],
    }),
    received: [post(), post({ deliveryId: 'whd_2' })],
  });
  itChecksAtEnd({
    'accepts a verbatim replay': [replay({})],
    'reports a replay whose payload differs': [replay({ payloadHash: 'other' }), 'I6'],
  });
});

describe('oracle, I7: summaries', () => {
  const waiting = failures(1);
  const next = (nextAttemptAt: number | null) =>
    now({ ...waiting, deliveries: waiting.deliveries.map((row) => ({ ...row, nextAttemptAt })) });
  const closed = { status: 'failed_permanent', failureReason: 'endpoint_disabled' };
  const finished = { ...closed, dueAt: null, nextAttemptAt: null };
  const second = delivery({ id: 'whd_2', tokenId: 'tok_2' });
  itChecks({
    'reports a summary that differs from its attempts': [stored({ attempts: 2 }), 'I7'],
    'reports a finished delivery that was changed': [
      earlier({ deliveries: [delivery({ hash: 'other' })] }),
      'I7',
    ],
    'reports a delivery that was removed': [earlier({ deliveries: [delivery(), second] }), 'I7'],
    'accepts a summary with the last attempt before a closing record': [
      now({
        ...waiting,
        deliveries: waiting.deliveries.map((row) => ({ ...row, ...finished })),
        attempts: [...waiting.attempts, attempt({ ...closed, ordinal: 2 })],
      }),
    ],
    'accepts a waiting delivery with the time of its retry': [next(SENT_AT + 60_000)],
    'reports a waiting delivery without the time of its retry': [next(null), 'I7'],
    'reports a waiting delivery with another time': [next(SENT_AT + 59_000), 'I7'],
    'reports a finished delivery with the time of a retry': [stored({ nextAttemptAt: SENT_AT }), 'I7'],
    'reports a delivery without its last attempt': [stored({ lastAttempt: null }), 'I7'],
  });
  for (const other of [
    { ordinal: 2 },
    { failureReason: 'timeout' },
    { httpStatus: 204 },
    { responseBody: 'other' },
    { attemptedAt: SENT_AT + 41 },
    { durationMs: null },
  ])
    itChecks({
      [`reports a last attempt with ${JSON.stringify(other)}, which is not stored`]: [
        stored({ lastAttempt: result(other) }),
        'I7',
      ],
    });
});

describe('oracle, I10: POSTs', () => {
  const conditions = { disruptions: [{ at: SENT_AT + 60, kind: 'exit' }] } as const;
  const second = (differences: Partial<Received>) => ({
    received: [post(), post({ at: SENT_AT + 60, ...differences })],
    conditions,
  });
  const strange = post({ deliveryId: 'whd_9' });
  itChecks({
    'reports a POST that does not verify': [{ received: [post({ verified: false })] }, 'I10'],
    'accepts a second POST that matches its delivery': [second({})],
    'reports a POST whose body differs from an earlier one': [second({ bodyHash: 'other' }), 'I10'],
    'reports a POST without a stored delivery': [second({ deliveryId: 'whd_9' }), 'I10'],
    'reports a POST to another endpoint': [second({ path: '/other' }), 'I10'],
    'reports a POST of another event': [
      second({ content: { deliveryId: DELIVERY, tokenId: 'tok_2' } }),
      'I10',
    ],
    'reports a POST with the id of another delivery': [
      second({ content: { deliveryId: 'whd_9', tokenId: 'tok_1' } }),
      'I10',
    ],
    'reports a POST with an unreadable body': [second({ content: null }), 'I10'],
    'expects no delivery for a POST after the snapshot': [
      { received: [post(), post({ deliveryId: 'whd_9', at: SENT_AT + 61_000 })] },
    ],
    'expects no delivery for a POST whose row may not be committed by a majority yet': [
      { received: [post(), post({ deliveryId: 'whd_9', at: SENT_AT + 59_000 })] },
    ],
    'expects no delivery for a POST after retention removed it': [
      { received: [post(), strange], conditions: { retentionMs: 1_000 } },
    ],
  });
});
