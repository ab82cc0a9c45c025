import { createHash } from 'node:crypto';
import type { ClosedReason } from './delivery.js';
import { type Delivery, type DeliveryFields, newDelivery, type Pending } from './delivery.js';
import { disabledSince } from './disabled-period.js';
import { closedReason, type SettledEndpoint } from './endpoint.js';
import { TEST_EVENT_TYPE } from './event-type.js';
import { derivedId } from './id.js';

/** The step of the schedule of recovery probes, in milliseconds. */
export const DEFAULT_PROBE_STEP_MS = 5 * 60_000;
/** Probes after 5, 15, 30 and 60 minutes, in steps. */
const FIRST_STEPS = [1, 3, 6, 12];
/** Then every two hours, for three days from the disabling. */
const EVERY_STEPS = 24;
const LAST_STEP = 864;

const MESSAGE = 'This is a test event. If your endpoint answers with 2xx, it is enabled again.';

/** The first step of the schedule after `steps`; null if there is none. */
function stepAfter(steps: number): number | null {
  const first = FIRST_STEPS.find((step) => step > steps);
  if (first !== undefined) return first;
  const last = FIRST_STEPS.at(-1) ?? 0;
  const next = last + EVERY_STEPS * (Math.floor((steps - last) / EVERY_STEPS) + 1);
  return next > LAST_STEP ? null : next;
}

/** When the next recovery probe after `now` is due in a disabled period; null if there is none. */
export function nextRecoveryProbeAt(since: Date, now: Date, probeStepMs: number): Date | null {
  const step = stepAfter((now.getTime() - since.getTime()) / probeStepMs);
  return step === null ? null : new Date(since.getTime() + step * probeStepMs);
}

/** Whether recovery probes may be sent to an endpoint disabled at `since`: it still is, by failures, and recovers by probes. */
export function recoversByProbes(endpoint: SettledEndpoint, since: Date): boolean {
  return (
    endpoint.deletedAt === null &&
    endpoint.disabledReason === 'consecutive_failures' &&
    endpoint.recovery === 'probe' &&
    disabledSince(endpoint).getTime() === since.getTime()
  );
}

/** What to do once the time planned for an endpoint's recovery probe has come. */
export interface RecoveryProbePlan {
  /** Null if no probe is sent. */
  readonly probe: (Delivery & Pending) | null;
  readonly next: Date | null;
}

/**
 * Plans a recovery probe. The time that is stored when an endpoint is disabled, or starts to recover by probes, is not on the
 * schedule: then only the next probe is planned. Probes that were missed are not sent later, except the last of them.
 */
export function planRecoveryProbe(
  endpoint: SettledEndpoint,
  now: Date,
  probeStepMs: number,
): RecoveryProbePlan {
  const since = disabledSince(endpoint);
  const { probeAt } = endpoint;
  if (!probeAt || !recoversByProbes(endpoint, since)) return { probe: null, next: null };
  const next = nextRecoveryProbeAt(since, now, probeStepMs);
  const isScheduled =
    nextRecoveryProbeAt(since, new Date(probeAt.getTime() - 1), probeStepMs)?.getTime() === probeAt.getTime();
  const isOver = now.getTime() - since.getTime() > (LAST_STEP + 1) * probeStepMs;
  return { probe: isScheduled && !isOver ? probeOf(endpoint, { since, at: probeAt, now }) : null, next };
}

/** The delivery of a recovery probe. The same time gives the same delivery in every process. */
function probeOf(
  { id: endpointId, workspaceId }: SettledEndpoint,
  { since, at, now }: { readonly since: Date; readonly at: Date; readonly now: Date },
): Delivery & Pending {
  const cause = `probe ${endpointId}`;
  return newDelivery({
    id: derivedId('delivery', at, cause),
    workspaceId,
    endpointId,
    eventType: TEST_EVENT_TYPE,
    payload: {
      eventId: derivedId('event', at, cause),
      occurredAt: at.toISOString(),
      workspaceId,
      endpointId,
      message: MESSAGE,
    },
    traceId: createHash('sha256').update(`${cause} ${at.getTime()}`).digest('hex').slice(0, 32),
    createdAt: at,
    dueAt: now,
    probeOf: since,
  });
}

/** Why a delivery is not sent; null if it is. Only a recovery probe is sent although its endpoint is disabled. */
export function unsentReason(
  { probeOf: since }: Pick<DeliveryFields, 'probeOf'>,
  endpoint: SettledEndpoint | null,
): ClosedReason | null {
  if (since === undefined || endpoint === null || endpoint.deletedAt !== null) return closedReason(endpoint);
  return recoversByProbes(endpoint, since) ? null : 'endpoint_disabled';
}
