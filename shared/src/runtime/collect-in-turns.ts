import { nextTurn } from './turns.js';

interface Turns<Item> {
  readonly sizeOf: (item: Item) => number;
  /** A new turn of the event loop begins whenever items of this total size were collected in the current one. */
  readonly atOnce: number;
  /** Collecting ends after the item that brings the total size to this. */
  readonly upTo: number;
}

/** Collects items whose production takes time by their size, such as decoding, without blocking other work. */
export async function collectInTurns<Item>(
  items: AsyncIterable<Item>,
  { sizeOf, atOnce, upTo }: Turns<Item>,
): Promise<Item[]> {
  const collected: Item[] = [];
  let size = 0;
  let turnAt = atOnce;
  for await (const item of items) {
    collected.push(item);
    size += sizeOf(item);
    if (size >= upTo) break;
    if (size < turnAt) continue;
    turnAt = size + atOnce;
    await nextTurn();
  }
  return collected;
}
