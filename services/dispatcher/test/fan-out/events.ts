import { idFor, NOON, TRACE_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { type OpenEvent, openEvent } from '../../src/fan-out/open-event.js';
import type { ReadEvent } from '../../src/fan-out/read-event.js';
import type { Lane } from '../../src/fan-out/workspace-ring.js';

export const PAYLOAD = {
  eventId: idFor('event', 'plan changed'),
  occurredAt: NOON.toISOString(),
  workspaceId: WORKSPACE_ID,
  previousPlan: 'free',
  plan: 'team',
} as const;

interface EventOverrides extends Partial<Pick<ReadEvent, 'type' | 'occurredAt'>> {
  readonly name?: string;
  readonly workspaceId?: string;
}

/** A change of plan at noon. Each name yields another event. */
export function aReadEvent({
  name,
  workspaceId = WORKSPACE_ID,
  ...overrides
}: EventOverrides = {}): ReadEvent {
  const occurredAt = overrides.occurredAt ?? NOON;
  const eventId = name === undefined ? PAYLOAD.eventId : idFor('event', name);
  return {
    type: 'billing.plan_changed',
    payload: { ...PAYLOAD, eventId, workspaceId, occurredAt: occurredAt.toISOString() },
    occurredAt,
    traceId: TRACE_ID,
    ...overrides,
  };
}

/** An event that arrived just now. */
export function anOpenEvent(overrides: Partial<OpenEvent> = {}): OpenEvent {
  const added = {
    event: aReadEvent(),
    bytes: 100,
    isWanted: () => true,
    isRepeated: false,
    queued: () => {},
    done: () => {},
    incomplete: () => {},
  };
  return { ...openEvent(added, 0, null), arrival: 1, ...overrides };
}

/** A workspace whose only event arrived just now. */
export function aLane(overrides: Partial<Lane> = {}): Lane {
  return { workspaceId: WORKSPACE_ID, events: [anOpenEvent()], page: null, ...overrides };
}
