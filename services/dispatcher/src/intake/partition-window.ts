/** The offsets of one partition: those in progress, and up to which one all are done. */
export interface PartitionWindow {
  /** The consumer (re)starts fetching, so tracked offsets will be read again. */
  restart(): void;
  /** 'duplicate' if the offset was tracked before; 'reset' if the partition restarted below the committed offset. */
  classify(offset: number): 'new' | 'duplicate' | 'reset';
  /** Tracks an offset, in the order of the partition. Gaps are normal. `key` is the key of its job. */
  track(offset: number, key: string): void;
  /** Marks an offset as done. Unknown offsets are ignored, because the partition may have been reset. */
  done(offset: number): void;
  /** The next offset to commit: all before it are done. Null until an offset is tracked. */
  position(): number | null;
  committed(position: number): void;
  /** The oldest offset that is not done. */
  head(): { readonly offset: number; readonly key: string } | null;
  /** The number of tracked offsets that are not done. */
  open(): number;
}

export function createPartitionWindow(): PartitionWindow {
  // Offsets are tracked in ascending order and a Map keeps that order, so its first key is the oldest open offset.
  const open = new Map<number, string>();
  let next: number | null = null;
  let committed: number | null = null;
  // A restarted consumer reads from the offset that was committed at that time. Later commits may be beyond the first
  // offset that it reads.
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
      return next !== null && offset < next ? 'duplicate' : 'new';
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
