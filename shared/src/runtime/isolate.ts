/** What came of trying things one by one. What is neither done nor poisoned is to be tried again. */
export interface Isolated<Thing, Result> {
  readonly done: ReadonlyMap<Thing, Result>;
  /** Why each of these was refused, twice. */
  readonly poisoned: ReadonlyMap<Thing, unknown>;
  /** Why there are others, if there are. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Finds out which of several things that failed together is at fault, by trying them one by one. A thing is poisoned
 * only when another went through, which shows that the store is not what is wrong, and when it is refused a second
 * time, since an outage may have ended half-way through.
 *
 * @param isOutage whether an error says that the store is away: then nothing is anybody's fault
 */
export async function isolate<Thing, Result>(
  things: readonly Thing[],
  attempt: (thing: Thing) => Promise<Result>,
  isOutage: (error: unknown) => boolean,
): Promise<Isolated<Thing, Result>> {
  const done = new Map<Thing, Result>();
  const tryEach = async (some: readonly Thing[]) => {
    const refused = new Map<Thing, unknown>();
    for (const thing of some) {
      try {
        done.set(thing, await attempt(thing));
      } catch (error) {
        if (isOutage(error)) return { refused, failure: { error } };
        refused.set(thing, error);
      }
    }
    return { refused, failure: null };
  };
  const unclear = (error: unknown) => ({ done, poisoned: new Map<Thing, unknown>(), failure: { error } });

  const first = await tryEach(things);
  if (first.failure !== null) return unclear(first.failure.error);
  if (done.size === 0 && things.length > 0) return unclear(first.refused.get(things[0] as Thing));
  const second = await tryEach([...first.refused.keys()]);
  if (second.failure !== null) return unclear(second.failure.error);
  return { done, poisoned: second.refused, failure: null };
}
