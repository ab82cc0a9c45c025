import type {
  AttemptFacts,
  AttemptRow,
  AuditRow,
  Circumstances,
  EndpointRow,
  Evidence,
  Received,
  Row,
  Snapshot,
} from './evidence.js';

/** A run in which one event was accepted, sent to one endpoint and delivered: nothing is wrong with it. */
export const DELIVERY = 'whd_1';
export const ENDPOINT = 'whe_1';
const BEGAN = 1_000_000;
export const SENT_AT = BEGAN + 10_000;

export function row(differences: Partial<Row> = {}): Row {
  return {
    id: DELIVERY,
    endpointId: ENDPOINT,
    eventType: 'api_token.created',
    tokenId: 'tok_1',
    payloadHash: 'payload',
    status: 'delivered',
    failureReason: null,
    attempts: 1,
    lastAttempt: facts(),
    nextAttemptAt: null,
    dueAt: null,
    createdAt: SENT_AT,
    replayedFrom: null,
    failingSince: null,
    hash: 'row',
    ...differences,
  };
}

export function facts(differences: Partial<AttemptFacts> = {}): AttemptFacts {
  return {
    ordinal: 1,
    failureReason: null,
    httpStatus: 200,
    responseBody: '',
    attemptedAt: SENT_AT + 40,
    durationMs: 10,
    ...differences,
  };
}

export function attempt(differences: Partial<AttemptRow> = {}): AttemptRow {
  const { deliveryId = DELIVERY, ordinal = 1 } = differences;
  return {
    id: `${deliveryId}:${ordinal}`,
    deliveryId,
    endpointId: ENDPOINT,
    status: 'delivered',
    ...facts({ ordinal }),
    streak: null,
    hash: 'attempt',
    ...differences,
  };
}

export function endpoint(differences: Partial<EndpointRow> = {}): EndpointRow {
  return {
    id: ENDPOINT,
    path: '/steady',
    eventTypes: ['api_token.created'],
    enabled: true,
    deleted: false,
    streak: 0,
    streakVersion: 0,
    createdAt: BEGAN,
    ...differences,
  };
}

export function audit(differences: Partial<AuditRow> = {}): AuditRow {
  return {
    id: 'aud_1',
    action: 'api_token.created',
    targetId: 'tok_1',
    madeId: null,
    reason: null,
    createdAt: SENT_AT,
    streak: null,
    ...differences,
  };
}

export function post(differences: Partial<Received> = {}): Received {
  const { at = SENT_AT + 50, deliveryId = DELIVERY } = differences;
  return {
    deliveryId,
    path: '/steady',
    at,
    verified: true,
    bodyHash: 'body',
    said: { deliveryId, tokenId: 'tok_1' },
    answer: { status: 200, at: at + 5 },
    ...differences,
  };
}

export interface SnapshotParts {
  readonly at?: number;
  readonly rows?: readonly Row[];
  readonly attempts?: readonly AttemptRow[];
  readonly endpoints?: readonly EndpointRow[];
  readonly audits?: readonly AuditRow[];
  readonly notifications?: Snapshot['notifications'];
  readonly outbox?: readonly string[];
}

export function snapshot(parts: SnapshotParts = {}): Snapshot {
  const byId = <T extends { readonly id: string }>(items: readonly T[]) =>
    new Map(items.map((item) => [item.id, item]));
  return {
    at: parts.at ?? SENT_AT + 60_000,
    rows: byId(parts.rows ?? [row()]),
    attempts: byId(parts.attempts ?? [attempt()]),
    endpoints: byId(parts.endpoints ?? [endpoint()]),
    audits: parts.audits ?? [audit()],
    notifications: parts.notifications ?? [],
    outbox: parts.outbox ?? [],
  };
}

type EvidenceParts = Partial<Omit<Evidence, 'circumstances'>> & {
  readonly circumstances?: Partial<Circumstances>;
};

export function evidence({ circumstances, ...parts }: EvidenceParts = {}): Evidence {
  return {
    events: [{ tokenId: 'tok_1', sentAt: SENT_AT, answeredAt: SENT_AT + 10 }],
    sends: [],
    received: [post()],
    now: snapshot(),
    before: null,
    firstSeen: new Map([[DELIVERY, SENT_AT + 1_000]]),
    looks: [],
    circumstances: {
      stepMs: 500,
      mostOpen: 4,
      timeoutMs: 4_000,
      disruptions: [],
      faultBegan: null,
      faultEnded: null,
      outage: null,
      retentionMs: null,
      overloaded: new Set(),
      healthy: new Set(),
      ...circumstances,
    },
    ...parts,
  };
}

/** One failed attempt after another, the last of them under way to its retry. */
export function failures(count: number): { readonly rows: Row[]; readonly attempts: AttemptRow[] } {
  const attempts = Array.from({ length: count }, (_, index) =>
    attempt({
      ordinal: index + 1,
      status: 'failed',
      failureReason: 'http_status',
      httpStatus: 500,
      streak: { version: index + 1, before: index, after: index + 1 },
    }),
  );
  const failed = { status: 'failed', failureReason: 'http_status', attempts: count };
  const lastAttempt = facts({ ordinal: count, failureReason: 'http_status', httpStatus: 500 });
  const due = SENT_AT + 60_000;
  return { rows: [row({ ...failed, lastAttempt, dueAt: due, nextAttemptAt: due })], attempts };
}
