import { OffsetSet } from './offset-set.js';

/** The open offsets of a partition, with the keys of their work; null for an offset whose work has none. */
export interface OpenEntries {
  /** Adds an offset that is higher than all others. */
  add(offset: number, key: string | null): void;
  /** Unknown offsets are ignored. */
  delete(offset: number): void;
  first(): { readonly offset: number; readonly key: string | null } | null;
  size(): number;
  clear(): void;
}

export function createKeyedEntries(): OpenEntries {
  // A Map keeps the order in which offsets are added, so its first key is the lowest one.
  const keys = new Map<number, string | null>();
  return {
    add: (offset, key) => void keys.set(offset, key),
    delete: (offset) => void keys.delete(offset),
    first() {
      const entry = keys.entries().next().value;
      return entry === undefined ? null : { offset: entry[0], key: entry[1] };
    },
    size: () => keys.size,
    clear: () => keys.clear(),
  };
}

/** Keeps no keys, so that they take little memory, however many there are. */
export function createEntriesWithoutKeys(): OpenEntries {
  const offsets = new OffsetSet();
  return {
    add: (offset) => offsets.add(offset),
    delete: (offset) => void offsets.delete(offset),
    first() {
      const offset = offsets.first();
      return offset === null ? null : { offset, key: null };
    },
    size: () => offsets.size,
    clear: () => offsets.clear(),
  };
}
