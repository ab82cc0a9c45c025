/**
 * Does the work of several callers at once: whatever is handed over in the same turn of the event loop, or while an
 * earlier round is under way, shares one round. Rounds never overlap.
 *
 * @returns hands an item over; resolves or rejects as its round does
 */
export function coalesce<Item, Result>(
  work: (items: readonly Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let gathering: { readonly items: Item[]; readonly done: Promise<Result> } | null = null;
  let before: Promise<unknown> = Promise.resolve();
  const begin = () => {
    const items: Item[] = [];
    const run = async () => {
      await before;
      await new Promise<void>((resolve) => setImmediate(resolve));
      gathering = null;
      return work(items);
    };
    const round = { items, done: run() };
    before = round.done.catch(() => {});
    return round;
  };
  return (item) => {
    gathering ??= begin();
    gathering.items.push(item);
    return gathering.done;
  };
}
