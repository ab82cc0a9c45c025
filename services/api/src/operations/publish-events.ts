import { customEvent } from '@postrider/shared/events/domain-event';
import { eventRecord } from '@postrider/shared/outbox/record';
import { type PreparedEvent, prepareEvent, type Refused } from '../catalogue/prepare-event.js';
import type { PublishEvent, PublishEvents, PublishedEvent, PublishedEvents } from '../contract/event.js';
import { Refusal } from '../domain/refusal.js';
import type { NewEvents } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';

type Needs = Pick<Deps, 'mutate' | 'storeEvents' | 'clock' | 'newId' | 'catalogue' | 'requireFeature'>;

/** Publishes one event of a custom type. */
export function publishEvent(deps: Needs) {
  return async (call: Call, event: PublishEvent): Promise<PublishedEvent> => {
    const prepared = prepareAll(deps, [{ event, path: '' }]);
    const [published] =
      prepared instanceof Refusal
        ? await refuse(deps, call, prepared)
        : await deps.storeEvents(call, () => newEvents(deps, call, prepared));
    if (published === undefined) throw new Error('one event was stored, and none returned');
    return published;
  };
}

/** Publishes events of custom types: all of them or none. */
export function publishEvents(deps: Needs) {
  return async (call: Call, { events }: PublishEvents): Promise<PublishedEvents> => {
    const located = events.map((event, index) => ({ event, path: `events[${index}]` }));
    const prepared = prepareAll(deps, located);
    const published =
      prepared instanceof Refusal
        ? await refuse(deps, call, prepared)
        : await deps.mutate(call, async () => ({ ...newEvents(deps, call, prepared), audit: [] }));
    return { events: [...published] };
  };
}

interface Located {
  readonly event: PublishEvent;
  readonly path: string;
}

/**
 * A repeated request has the result of the first one, even if its event has become too old since, or its type has changed.
 *
 * @throws Refusal unless the request has a result
 */
function refuse({ mutate }: Needs, call: Call, refusal: Refusal): Promise<readonly PublishedEvent[]> {
  return mutate(call, async () => {
    throw refusal;
  });
}

/** @returns the refusal for the first kind of mistake, with all mistakes of all events */
function prepareAll(deps: Needs, located: readonly Located[]): readonly PreparedEvent[] | Refusal {
  const catalogue = deps.catalogue.current();
  const now = deps.clock.now();
  const results = located.map(({ event, path }) => prepareEvent(event, { catalogue, now, path }));
  const refused = results.filter((result): result is Refused => 'tag' in result);
  const [first] = refused;
  if (first !== undefined)
    return Refusal.withMistakes(
      first.tag,
      refused.flatMap(({ mistakes }) => mistakes),
    );
  deps.requireFeature('customEventTypes');
  return results.filter((result): result is PreparedEvent => !('tag' in result));
}

/** The time in an event's id is the time of its publication; `occurredAt` comes from the caller. */
function newEvents(
  { clock, newId }: Needs,
  call: Call,
  events: readonly PreparedEvent[],
): NewEvents<readonly PublishedEvent[]> {
  const at = clock.now();
  const stored = events.map(({ dropped, ...event }) => ({
    event: customEvent({ ...event, id: newId('event', at), workspace: call.workspace }),
    dropped,
  }));
  return {
    result: stored.map(({ event: { type, payload }, dropped }) => ({
      eventId: payload.eventId,
      type,
      occurredAt: payload.occurredAt,
      ...(dropped.length > 0 && { droppedFields: [...dropped] }),
    })),
    outbox: stored.map(({ event }) => eventRecord(event, call.traceId, call.spanId)),
  };
}
