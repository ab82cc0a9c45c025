import type { IdRange } from '@postrider/shared/ports/housekeeping';
import { atOnce } from '@postrider/shared/runtime/at-once';

export interface SlicedWork {
  readonly range: IdRange;
  /** Where the first slice of a range ends. */
  readonly endOfSlice: (range: IdRange) => Promise<string>;
  readonly workers: number;
  /** No further slice begins once this is false. */
  readonly hasTime: () => boolean;
  /** @returns false if time ran out before the slice was done */
  readonly handle: (slice: IdRange) => Promise<boolean>;
  /** Called after each slice. @param reached everything before this identifier is done */
  readonly save?: (reached: string) => Promise<void>;
}

/**
 * Handles a range of identifiers in slices, from its beginning, by several workers at the same time.
 *
 * @returns whether all of the range is done
 */
export async function inSlices(work: SlicedWork): Promise<boolean> {
  const { range, endOfSlice, workers, hasTime, handle, save } = work;
  let next = range.from;
  const open = new Set<string>();
  const reached = () => [...open].reduce((least, from) => (from < least ? from : least), next);
  async function* slices() {
    while (next < range.before && hasTime()) {
      const slice = { from: next, before: await endOfSlice({ from: next, before: range.before }) };
      open.add(slice.from);
      next = slice.before;
      yield slice;
    }
  }
  await atOnce(slices(), workers, async (slice) => {
    if (!(await handle(slice))) return;
    open.delete(slice.from);
    await save?.(reached());
  });
  return reached() >= range.before;
}
