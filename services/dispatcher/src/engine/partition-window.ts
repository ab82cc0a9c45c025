/** What one partition has been asked for: taken offsets that are not done yet, and how far everything is done. */
export interface PartitionWindow {
  /** The consumer (re)starts fetching: offsets that are held already will come again. */
  restart(): void;
  /** 'held' when the offset was taken before; 'reset' when the partition began anew, below what was committed. */
  classify(offset: number): 'new' | 'held' | 'reset';
  /** Takes an offset, in the order of the partition. Gaps are normal. `key` names the job that it asks for. */
  track(offset: number, key: string): void;
  /** Marks an offset as done. Unknown ones are ignored: the partition may have been reset. */
  done(offset: number): void;
  /** The next offset to commit: everything before it is done. Null while nothing was taken. */
  position(): number | null;
  committed(position: number): void;
  /** What holds the position back. */
  head(): { readonly offset: number; readonly key: string } | null;
  /** Taken and not done. */
  open(): number;
}

/** @returns the window of a partition of which nothing is known yet */
export function createPartitionWindow(): PartitionWindow {
  // Offsets are taken in growing order and a Map keeps that order, so its first key is the oldest open offset.
  const open = new Map<number, string>();
  let next: number | null = null;
  let committed: number | null = null;
  // A restarted consumer asks for the committed offset and reads on from there. What is committed in the meantime may
  // lie beyond what it reads first.
  let restartedAt: number | null = null;
  const oldest = () => open.entries().next().value ?? null;
  return {
    restart: () => {
      restartedAt = committed;
    },
    classify(offset) {
      const expected = restartedAt;
      restartedAt = null;
      if (expected !== null && offset < expected) {
        open.clear();
        next = null;
        committed = null;
        return 'reset';
      }
      return next !== null && offset < next ? 'held' : 'new';
    },
    track(offset, key) {
      open.set(offset, key);
      next = offset + 1;
    },
    done: (offset) => {
      open.delete(offset);
    },
    position: () => oldest()?.[0] ?? next,
    committed(position) {
      committed = position;
    },
    head() {
      const entry = oldest();
      return entry && { offset: entry[0], key: entry[1] };
    },
    open: () => open.size,
  };
}
