import type { OpenEntries } from './open-entries.js';

/** The offsets of one partition: which are in progress, and up to which all are done. */
export interface PartitionWindow {
  /** The consumer (re)starts fetching, so tracked offsets will be read again. */
  restart(): void;
  /** The broker does not have the next offset, so the partition is read from its beginning, where lower ones may be others. */
  positionLost(): void;
  /** 'duplicate' if the offset was tracked before; 'reset' if the partition restarted below the committed or a lost position. */
  classify(offset: number): 'new' | 'duplicate' | 'reset';
  /** Tracks an offset, in the order of the partition. Gaps are normal. `key` is the key of its work, if it has one. */
  track(offset: number, key: string | null): void;
  /** Marks an offset as done. Unknown offsets are ignored, because the partition may have been reset. */
  done(offset: number): void;
  /** The next offset to commit: all before it are done. Null until an offset is tracked, and from a lost position to the next one. */
  position(): number | null;
  committed(position: number): void;
  /** The oldest offset that is not done. */
  head(): { readonly offset: number; readonly key: string | null } | null;
  /** The number of tracked offsets that are not done. */
  open(): number;
}

/** @param open the open offsets, initially empty */
export function createPartitionWindow(open: OpenEntries): PartitionWindow {
  let next: number | null = null;
  let committed: number | null = null;
  // A restarted consumer reads from the offset that was committed at that time. Later commits may be beyond the first
  // offset that it reads.
  let restartedAt: number | null = null;
  let isLost = false;
  /** Whether all open offsets will be read again, if they are still those of the same records. */
  const isBeforeOpen = (offset: number) => offset <= (open.first()?.offset ?? offset);
  return {
    restart: () => {
      restartedAt = committed;
    },
    positionLost: () => {
      isLost = true;
    },
    classify(offset) {
      const expected = isLost ? next : restartedAt;
      restartedAt = null;
      isLost = false;
      if (expected !== null && offset < expected && isBeforeOpen(offset)) {
        open.clear();
        next = null;
        committed = null;
        return 'reset';
      }
      return next !== null && offset < next ? 'duplicate' : 'new';
    },
    track(offset, key) {
      open.add(offset, key);
      next = offset + 1;
    },
    done: open.delete,
    // The offsets of a topic must not be committed for another one that replaced it.
    position: () => (isLost ? null : (open.first()?.offset ?? next)),
    committed(position) {
      committed = position;
    },
    head: open.first,
    open: open.size,
  };
}
