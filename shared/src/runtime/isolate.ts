/** The result of trying items one by one. Items that are neither done nor poisoned are to be retried. */
export interface Isolated<Item, Result> {
  readonly done: ReadonlyMap<Item, Result>;
  /** Items that were rejected twice, with the last error. */
  readonly poisoned: ReadonlyMap<Item, unknown>;
  /** The error that stopped the search; null if all items are done or poisoned. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Finds the items of a failed batch that cause the failure, by trying them one by one. An item is poisoned only if another
 * one succeeded, which shows that the store works, and if it is rejected a second time, since an outage may have ended in
 * between.
 *
 * @param isOutage whether an error means that the store is unavailable, in which case no item is at fault
 */
export async function isolate<Item, Result>(
  items: readonly Item[],
  attempt: (item: Item) => Promise<Result>,
  isOutage: (error: unknown) => boolean,
): Promise<Isolated<Item, Result>> {
  const done = new Map<Item, Result>();
  const tryEach = async (some: readonly Item[]) => {
    const rejected = new Map<Item, unknown>();
    for (const item of some) {
      try {
        done.set(item, await attempt(item));
      } catch (error) {
        if (isOutage(error)) return { rejected, failure: { error } };
        rejected.set(item, error);
      }
    }
    return { rejected, failure: null };
  };
  const stoppedBy = (error: unknown) => ({ done, poisoned: new Map<Item, unknown>(), failure: { error } });

  const first = await tryEach(items);
  if (first.failure !== null) return stoppedBy(first.failure.error);
  if (done.size === 0 && items.length > 0) return stoppedBy(first.rejected.get(items[0] as Item));
  const second = await tryEach([...first.rejected.keys()]);
  if (second.failure !== null) return stoppedBy(second.failure.error);
  return { done, poisoned: second.rejected, failure: null };
}
