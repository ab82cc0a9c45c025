import { expect } from 'chai';
import { checkAtEnd, checkDuringRun } from './check.js';
import type { Conditions, Evidence, Received } from './evidence.js';
import {
  type AttemptResult,
  type AttemptRow,
  type AuditRow,
  byId,
  type DeliveryRow,
  type EndpointRow,
  type NotificationRow,
  type Snapshot,
} from './snapshot.js';

/** The defaults describe a correct run: one event was accepted and delivered to one endpoint. */
export const DELIVERY = 'whd_1';
export const ENDPOINT = 'whe_1';
const BEGAN = 1_000_000;
export const SENT_AT = BEGAN + 10_000;

export const result = (differences: Partial<AttemptResult> = {}): AttemptResult => ({
  ordinal: 1,
  failureReason: null,
  httpStatus: 200,
  responseBody: '',
  attemptedAt: SENT_AT + 40,
  durationMs: 10,
  ...differences,
});

export const delivery = (differences: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id: DELIVERY,
  endpointId: ENDPOINT,
  eventType: 'api_token.created',
  tokenId: 'tok_1',
  payloadHash: 'payload',
  status: 'delivered',
  failureReason: null,
  attempts: 1,
  lastAttempt: result(),
  nextAttemptAt: null,
  dueAt: null,
  createdAt: SENT_AT,
  replayedFrom: null,
  failingSince: null,
  hash: 'delivery',
  ...differences,
});

export function attempt(differences: Partial<AttemptRow> = {}): AttemptRow {
  const { deliveryId = DELIVERY, ordinal = 1 } = differences;
  return {
    ...result({ ordinal }),
    id: `${deliveryId}:${ordinal}`,
    deliveryId,
    endpointId: ENDPOINT,
    status: 'delivered',
    streak: null,
    hash: 'attempt',
    ...differences,
  };
}

export const endpoint = (differences: Partial<EndpointRow> = {}): EndpointRow => ({
  id: ENDPOINT,
  path: '/steady',
  eventTypes: ['api_token.created'],
  enabled: true,
  deleted: false,
  streak: 0,
  streakVersion: 0,
  createdAt: BEGAN,
  ...differences,
});

export const audit = (differences: Partial<AuditRow> = {}): AuditRow => ({
  id: 'aud_1',
  action: 'api_token.created',
  targetId: 'tok_1',
  createdId: null,
  reason: null,
  createdAt: SENT_AT,
  streak: null,
  ...differences,
});

/** The audit entry of a replay of the delivery. */
export const replayAudit = (createdId: string): AuditRow =>
  audit({ id: 'aud_2', action: 'webhook.delivery_replayed', targetId: DELIVERY, createdId });

export const notification = (differences: Partial<NotificationRow>): NotificationRow => ({
  id: 'ntf_1',
  kind: 'endpoint_stopped_receiving',
  endpointId: ENDPOINT,
  failingSince: SENT_AT,
  ...differences,
});

export function post(differences: Partial<Received> = {}): Received {
  const { at = SENT_AT + 50, deliveryId = DELIVERY } = differences;
  return {
    deliveryId,
    path: '/steady',
    at,
    verified: true,
    bodyHash: 'body',
    content: { deliveryId, tokenId: 'tok_1' },
    answer: { status: 200, at: at + 5 },
    isReset: false,
    ...differences,
  };
}

export interface SnapshotParts extends Partial<Omit<Snapshot, 'deliveries' | 'attempts' | 'endpoints'>> {
  readonly deliveries?: readonly DeliveryRow[];
  readonly attempts?: readonly AttemptRow[];
  readonly endpoints?: readonly EndpointRow[];
}

export const snapshot = (parts: SnapshotParts = {}): Snapshot => ({
  at: SENT_AT + 60_000,
  audits: [audit()],
  notifications: [],
  outbox: [],
  ...parts,
  deliveries: byId(parts.deliveries ?? [delivery()]),
  attempts: byId(parts.attempts ?? [attempt()]),
  endpoints: byId(parts.endpoints ?? [endpoint()]),
});

export type EvidenceParts = Partial<Omit<Evidence, 'conditions'>> & {
  readonly conditions?: Partial<Conditions>;
};

export const evidence = ({ conditions, ...parts }: EvidenceParts = {}): Evidence => ({
  events: [{ tokenId: 'tok_1', sentAt: SENT_AT, answeredAt: SENT_AT + 10 }],
  sends: [],
  received: [post()],
  now: snapshot(),
  before: null,
  firstSeen: new Map([[DELIVERY, SENT_AT + 1_000]]),
  checks: [],
  conditions: {
    stepMs: 500,
    maxUnrecorded: 4,
    timeoutMs: 4_000,
    answerTimeoutMs: 3_000,
    disruptions: [],
    faultBegan: null,
    faultEnded: null,
    outage: null,
    retentionMs: null,
    overloaded: new Set(),
    otherWorkspaces: new Map(),
    healthy: new Set(),
    ...conditions,
  },
  ...parts,
});

/** A delivery that waits for its retry after `count` failed attempts, and the endpoint with that streak. */
export function failures(count: number) {
  const failed = { failureReason: 'http_status', httpStatus: 500 };
  const attempts = Array.from({ length: count }, (_, index) => {
    const streak = { version: index + 1, before: index, after: index + 1 };
    return attempt({ ordinal: index + 1, status: 'failed', ...failed, streak });
  });
  const dueAt = SENT_AT + 60_000;
  const lastAttempt = result({ ordinal: count, ...failed });
  const state = { status: 'failed', failureReason: 'http_status', attempts: count, lastAttempt };
  return {
    deliveries: [delivery({ ...state, dueAt, nextAttemptAt: dueAt })],
    attempts,
    endpoints: [endpoint({ streak: count, streakVersion: count })],
  };
}

type Cases = Readonly<Record<string, readonly [parts: EvidenceParts, ...violated: string[]]>>;

/** Declares a test per case: the evidence violates exactly these invariants during the run, or at the end. */
export function itChecks(cases: Cases, check = checkDuringRun): void {
  for (const [name, [parts, ...expected]] of Object.entries(cases))
    it(name, () => {
      const violated = check(evidence(parts)).map(({ invariant }) => invariant);
      expect([...new Set(violated)]).to.deep.equal(expected);
    });
}

export const itChecksAtEnd = (cases: Cases): void => itChecks(cases, checkAtEnd);
