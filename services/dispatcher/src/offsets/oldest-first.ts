/** The neighbours of an entry in the list. */
export interface Neighbours<Entry> {
  older: Entry | null;
  newer: Entry | null;
}

/**
 * Entries in the order in which they were added. Any of them can be deleted in constant time. A deleted entry refers to no
 * other: otherwise one entry that is kept would keep all that were added later.
 */
export class OldestFirst<Entry extends Neighbours<Entry>> implements Iterable<Entry> {
  readonly #monotonicMs: () => number;
  #oldest: Entry | null = null;
  #newest: Entry | null = null;
  #since = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** How long the oldest entry has been the oldest, in milliseconds; 0 without entries. */
  get oldestForMs(): number {
    return this.#oldest === null ? 0 : this.#monotonicMs() - this.#since;
  }

  /** @param entry one that is in no list */
  add(entry: Entry): void {
    entry.older = this.#newest;
    if (this.#newest === null) this.#becomeOldest(entry);
    else this.#newest.newer = entry;
    this.#newest = entry;
  }

  /** @param entry one of these */
  delete(entry: Entry): void {
    const { older, newer } = entry;
    entry.older = null;
    entry.newer = null;
    if (newer === null) this.#newest = older;
    else newer.older = older;
    if (older === null) this.#becomeOldest(newer);
    else older.newer = newer;
  }

  /** The current entry may be deleted during the iteration. */
  *[Symbol.iterator](): Generator<Entry, void, void> {
    let entry = this.#oldest;
    while (entry !== null) {
      const next: Entry | null = entry.newer;
      yield entry;
      entry = next;
    }
  }

  #becomeOldest(entry: Entry | null): void {
    this.#oldest = entry;
    this.#since = this.#monotonicMs();
  }
}
