/** A queue whose operations take constant time, however long it is. */
export interface Fifo<Item> {
  push(item: Item): void;
  /** Puts an item back in front of all others. */
  unshift(item: Item): void;
  shift(): Item | undefined;
  peek(): Item | undefined;
  /** The first `count` items, without removing them. */
  first(count: number): readonly Item[];
  /** Removes and returns all items behind the first `keep`. */
  cutAfter(keep: number): Item[];
  size(): number;
}

/** Removed items are forgotten together once they are at least this many and half of the array. */
const COMPACT_FROM = 64;

export function createFifo<Item>(): Fifo<Item> {
  let items: (Item | undefined)[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    unshift(item) {
      if (head === 0) {
        items.unshift(item);
        return;
      }
      head -= 1;
      items[head] = item;
    },
    shift() {
      if (head === items.length) return undefined;
      const item = items[head];
      items[head] = undefined;
      head += 1;
      if (head >= COMPACT_FROM && head * 2 >= items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    peek: () => items[head],
    first: (count) => items.slice(head, head + count) as Item[],
    cutAfter: (keep) => items.splice(Math.min(head + keep, items.length)) as Item[],
    size: () => items.length - head,
  };
}
