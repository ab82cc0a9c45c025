import type { AuditEvent } from './audit-event.js';
import type { Attempt, DeliverySummary } from './delivery.js';
import type { SettledEndpoint } from './endpoint.js';
import type { DeliveryId, EndpointId } from './id.js';
import { type NextStep, nextStep } from './next-step.js';
import type { Notification } from './notification.js';
import type { ReplayJob } from './replay-job.js';
import { replayJobCreated } from './replay-job-created.js';
import { isRecorded, type Observation, type Settlement, type Situation, settle } from './settle.js';

/** The stored rows that a batch of observations touches, by id. */
export interface Stored {
  readonly deliveries: ReadonlyMap<DeliveryId, DeliverySummary>;
  readonly endpoints: ReadonlyMap<EndpointId, SettledEndpoint>;
}

/** The writes of a batch, and the result of each observation in the given order. */
export interface SettledBatch {
  readonly deliveries: readonly DeliverySummary[];
  readonly attempts: readonly Attempt[];
  readonly endpoints: readonly SettledEndpoint[];
  readonly audits: readonly AuditEvent[];
  readonly announcements: readonly Announcement[];
  readonly replayJobs: readonly ReplayJob[];
  readonly results: readonly Settled[];
}

/** A notification to store and publish, and the trace of the delivery that caused it. */
export interface Announcement {
  readonly notification: Notification;
  readonly traceId: string;
}

export interface Settled {
  readonly observation: Observation;
  readonly after: Situation;
  /** The next step for the queue message. */
  readonly next: NextStep;
  /** False if the observation is not stored, because it was a duplicate or late, or its row was terminal. */
  readonly isStored: boolean;
}

/** The changes and the result of one observation. */
interface SettledOne {
  /** Null if there is nothing to write. */
  readonly settlement: Settlement | null;
  readonly result: Settled;
}

/** Settles observations in order, each on the results of those before it. Pure: it may run twice. */
export function settleAll(
  stored: Stored,
  observations: readonly Observation[],
  retryStepMs: number,
): SettledBatch {
  const deliveries = new Map<DeliveryId, DeliverySummary>();
  const endpoints = new Map<EndpointId, SettledEndpoint>();
  const settleOne = (observation: Observation): SettledOne => {
    const { deliveryId, endpointId, ordinal, endedAt } = observation;
    const before: Situation = {
      delivery: deliveries.get(deliveryId) ?? stored.deliveries.get(deliveryId) ?? null,
      endpoint: endpoints.get(endpointId) ?? stored.endpoints.get(endpointId) ?? null,
    };
    const settlement = settle(before, observation, retryStepMs);
    if (settlement === null) {
      // It is stored already if an earlier commit of the same batch succeeded without a reply.
      const isStored = !deliveries.has(deliveryId) && isRecorded(before.delivery, observation);
      const next = nextStep(before, ordinal, endedAt);
      return { settlement, result: { observation, after: before, next, isStored } };
    }
    deliveries.set(deliveryId, settlement.delivery);
    if (settlement.endpoint) endpoints.set(endpointId, settlement.endpoint);
    const after = { delivery: settlement.delivery, endpoint: settlement.endpoint ?? before.endpoint };
    const next = nextStep(after, ordinal, endedAt);
    return { settlement, result: { observation, after, next, isStored: true } };
  };
  const settled = observations.map(settleOne);
  const settlements = settled.flatMap(({ settlement }) => settlement ?? []);
  return {
    deliveries: [...deliveries.values()],
    attempts: settlements.map(({ attempt }) => attempt),
    endpoints: [...endpoints.values()],
    audits: settlements.flatMap(auditsOf),
    announcements: settlements.flatMap(announcementsOf),
    replayJobs: settlements.flatMap(({ replayJob }) => replayJob ?? []),
    results: settled.map(({ result }) => result),
  };
}

function auditsOf({ audit, replayJob }: Settlement): readonly AuditEvent[] {
  return [...(audit ? [audit] : []), ...(replayJob ? [replayJobCreated(replayJob)] : [])];
}

function announcementsOf({ notification, delivery }: Settlement): readonly Announcement[] {
  return notification ? [{ notification, traceId: delivery.traceId }] : [];
}
