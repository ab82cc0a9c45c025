import type { CustomEventType } from '@postrider/shared/catalogue/catalogue';
import type { FreshCatalogue } from '@postrider/shared/catalogue/fresh-catalogue';
import type { EventTypeName } from '@postrider/shared/domain/event-type';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';

/** A type that is not known yet: null if it stays unknown. Rejects while the database is away, and can be called again then. */
interface LaterType {
  readonly later: () => Promise<CustomEventType | null>;
}

export type AwaitType = (name: EventTypeName) => CustomEventType | LaterType;

interface AwaitTypeParts {
  readonly catalogue: CatalogueView;
  readonly fresh: Pick<FreshCatalogue, 'read'>;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** A process may learn of a new type some seconds later than the producer of its first events. */
const LONGEST_WAIT_MS = 60_000;
const POLL_EVERY_MS = 1_000;
/**
 * Names are senders' text: events of at most this many unknown ones wait, and as many are remembered. Events of further ones are looked
 * up once, without a wait.
 */
const MAX_NAMES = 1_000;

/** Looks up custom types. Events of an unknown type wait together, once for each type. */
export function createAwaitType({ catalogue, fresh, monotonicMs, sleep }: AwaitTypeParts): AwaitType {
  const waiting = new Map<EventTypeName, LaterType>();
  /** Types that stayed unknown: their events do not wait a minute again. */
  const givenUp = new Set<EventTypeName>();
  const find = (name: EventTypeName) => catalogue.current().types.get(name) ?? null;
  const look = async (name: EventTypeName): Promise<CustomEventType | null> => {
    const until = monotonicMs() + LONGEST_WAIT_MS;
    while (monotonicMs() < until) {
      // While the database is away, the catalogue cannot be read: that is no reason to give up early.
      await catalogue.refresh().catch(() => undefined);
      const found = find(name);
      if (found !== null) return found;
      await sleep(POLL_EVERY_MS);
    }
    const [oldest] = givenUp;
    if (oldest !== undefined && givenUp.size >= MAX_NAMES) givenUp.delete(oldest);
    givenUp.add(name);
    return null;
  };
  /** The event may have a type that was added since, which the api that accepted it knew. */
  const lookOnce = async (name: EventTypeName) => {
    await fresh.read();
    return find(name);
  };
  return (name) => {
    const known = find(name) ?? waiting.get(name);
    if (known !== undefined) return known;
    if (givenUp.has(name) || waiting.size >= MAX_NAMES) return { later: () => lookOnce(name) };
    const looking = look(name).finally(() => waiting.delete(name));
    const wait = { later: async () => (await looking) ?? lookOnce(name) };
    waiting.set(name, wait);
    return wait;
  };
}
