import { nextTurn } from './turns.js';

interface Turns<Item> {
  readonly sizeOf: (item: Item) => number;
  /** The event loop turns whenever items of this size in total were collected since it did. */
  readonly atOnce: number;
}

/** Collects items whose production takes time by their size, such as decoding, without blocking other work. */
export async function collectInTurns<Item>(
  items: AsyncIterable<Item>,
  { sizeOf, atOnce }: Turns<Item>,
): Promise<Item[]> {
  const collected: Item[] = [];
  let size = 0;
  for await (const item of items) {
    collected.push(item);
    size += sizeOf(item);
    if (size < atOnce) continue;
    size = 0;
    await nextTurn();
  }
  return collected;
}
