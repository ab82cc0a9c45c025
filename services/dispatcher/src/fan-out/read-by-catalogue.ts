import type { Catalogue, CustomEventType } from '@postrider/shared/catalogue/catalogue';
import type { FreshCatalogue } from '@postrider/shared/catalogue/fresh-catalogue';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';
import type { Read } from './event-intake.js';
import { type EventParts, readCustom } from './read-event.js';

interface ReadByCatalogueParts {
  readonly catalogue: Pick<CatalogueView, 'refresh'>;
  readonly fresh: FreshCatalogue;
  readonly monotonicMs: () => number;
}

/**
 * How long a definition that dropped fields counts as the newest, in milliseconds. A producer on Kafka may send such fields
 * forever, and its events must neither wait nor cost a read each. An event loses a new field only if another event of its
 * type had unknown fields, and the read for that one began before the change and within this time.
 */
const TRUSTED_MS = 1_000;

/**
 * Reads events of custom types. An api may accept events by a newer definition than this process knows, so the catalogue is
 * read again before an event is rejected or loses fields. The order of events is kept, except that an event is read later if
 * that read is not due yet, because invalid events must not hold up others of their partition.
 */
export function createReadByCatalogue({ catalogue, fresh, monotonicMs }: ReadByCatalogueParts) {
  /** When the read began that found the definition to be the newest. */
  const newestAt = new WeakMap<CustomEventType, number>();
  const isTrusted = (type: CustomEventType) =>
    monotonicMs() < (newestAt.get(type) ?? -TRUSTED_MS) + TRUSTED_MS;
  return async (type: CustomEventType, parts: EventParts): Promise<Read> => {
    const first = readCustom(type, parts);
    const newestOf = ({ types }: Catalogue) => types.get(type.definition.name) ?? type;
    const readBy = (newest: CustomEventType) => {
      const last = newest === type ? first : readCustom(newest, parts);
      return 'problem' in last ? last : last.event;
    };
    if ('problem' in first) {
      const again = async () => readBy(newestOf(await fresh.read()));
      return fresh.isDue() ? again() : { later: again };
    }
    if (!first.hasDropped || isTrusted(type)) return first.event;
    const began = monotonicMs();
    const newest = newestOf(await catalogue.refresh());
    newestAt.set(newest, began);
    return readBy(newest);
  };
}

/** Reads an event by its type, or says why it is invalid. */
export type ReadByCatalogue = ReturnType<typeof createReadByCatalogue>;
