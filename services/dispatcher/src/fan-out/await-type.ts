import type { CustomEventType } from '@postrider/shared/catalogue/catalogue';
import type { EventTypeName } from '@postrider/shared/domain/event-type';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';

/** @returns the type, or null once it stayed unknown for long enough */
export type AwaitType = (name: EventTypeName) => CustomEventType | null | Promise<CustomEventType | null>;

interface AwaitTypeParts {
  readonly catalogue: CatalogueView;
  /** Milliseconds, monotonic. */
  readonly now: () => number;
  readonly pause: (ms: number) => Promise<void>;
}

/** A process may learn of a new type some seconds later than the producer of its first events. */
const LONGEST_WAIT_MS = 60_000;
const LOOK_EVERY_MS = 1_000;
/** Names are senders' text: beyond this many unknown ones none is waited for. */
const MAX_NAMES = 1_000;

/** Looks up custom types. Events of an unknown type wait together, once for each type. */
export function createAwaitType({ catalogue, now, pause }: AwaitTypeParts): AwaitType {
  const waiting = new Map<EventTypeName, Promise<CustomEventType | null>>();
  /** Types that stayed unknown: their events are not waited for again. */
  const given = new Set<EventTypeName>();
  const find = (name: EventTypeName) => catalogue.current().types.get(name) ?? null;
  const look = async (name: EventTypeName): Promise<CustomEventType | null> => {
    const until = now() + LONGEST_WAIT_MS;
    while (now() < until) {
      // While the database is away, the catalogue cannot be read: that is no reason to give up early.
      await catalogue.refresh().catch(() => undefined);
      const found = find(name);
      if (found !== null) return found;
      await pause(LOOK_EVERY_MS);
    }
    given.add(name);
    return null;
  };
  return (name) => {
    const known = find(name);
    if (known !== null || given.has(name)) return known;
    const before = waiting.get(name);
    if (before !== undefined) return before;
    if (waiting.size + given.size >= MAX_NAMES) return null;
    const looking = look(name).finally(() => waiting.delete(name));
    waiting.set(name, looking);
    return looking;
  };
}
