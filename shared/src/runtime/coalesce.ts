import { nextTurn } from './turns.js';

/**
 * Batches the items of concurrent callers: items that are added in the same turn of the event loop, or while a round is
 * running, share one round. Rounds never overlap.
 *
 * @returns a function that adds an item; it resolves or rejects as the round of the item does
 */
export function coalesce<Item, Result>(
  work: (items: readonly Item[]) => Promise<Result>,
): (item: Item) => Promise<Result> {
  let next: { readonly items: Item[]; readonly done: Promise<Result> } | null = null;
  let previous: Promise<unknown> = Promise.resolve();
  const startRound = () => {
    const items: Item[] = [];
    const run = async () => {
      await previous;
      await nextTurn();
      next = null;
      return work(items);
    };
    const round = { items, done: run() };
    previous = round.done.catch(() => {});
    return round;
  };
  return (item) => {
    next ??= startRound();
    next.items.push(item);
    return next.done;
  };
}
