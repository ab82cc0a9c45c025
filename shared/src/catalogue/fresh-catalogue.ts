import type { CatalogueView } from '../ports/catalogue.js';
import type { Catalogue } from './catalogue.js';

/** The catalogue for events that the known one rejects: an api that accepted them may know a newer one. */
export interface FreshCatalogue {
  /** Whether a read would begin at once. */
  isDue(): boolean;
  /**
   * Returns the catalogue from a read that starts after the call, at most a second later: it has every definition by which
   * an event received before could have been accepted. Rejects while the database is away.
   */
  read(): Promise<Catalogue>;
}

interface FreshCatalogueParts {
  readonly catalogue: Pick<CatalogueView, 'refresh'>;
  readonly monotonicMs: () => number;
  readonly sleep: (ms: number) => Promise<void>;
}

/** Minimum time between the starts of reads, in milliseconds. */
const DISTANCE_MS = 1_000;

/**
 * Shares reads, so that invalid events, however many, cost one read a second. Calls before a read starts share it; later
 * ones wait for the next, because the catalogue may have changed after that read.
 */
export function createFreshCatalogue({ catalogue, monotonicMs, sleep }: FreshCatalogueParts): FreshCatalogue {
  let dueAt = monotonicMs();
  let next: Promise<Catalogue> | null = null;
  const begin = (): Promise<Catalogue> => {
    next = null;
    dueAt = monotonicMs() + DISTANCE_MS;
    return catalogue.refresh();
  };
  return {
    isDue: () => next === null && monotonicMs() >= dueAt,
    read() {
      next ??= sleep(Math.max(0, dueAt - monotonicMs())).then(begin);
      return next;
    },
  };
}
