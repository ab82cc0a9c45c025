import type { Catalogue } from '../catalogue/catalogue.js';
import type { StoredEventType } from '../catalogue/event-type-definition.js';

/** The catalogue as a process knows it: at most some seconds old. */
export interface CatalogueView {
  current(): Catalogue;
  /**
   * Reads the catalogue now if it has changed. Concurrent calls share one query, which begins after each of them: a query that
   * was already under way may not see the change that the caller looks for.
   */
  refresh(): Promise<Catalogue>;
}

/** The stored catalogue. */
export interface CatalogueStore {
  /** 0 as long as no catalogue was applied. */
  version(): Promise<number>;
  /** All types, and the version that they have at least. */
  read(): Promise<{ readonly version: number; readonly types: readonly StoredEventType[] }>;
}
