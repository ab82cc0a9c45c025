/** Items ordered by due time, the earliest first. */
export interface DelayHeap<Item> {
  add(item: Item, due: number): void;
  /** Removes and returns the earliest item that is due at `now`; null if none is due. */
  pop(now: number): Item | null;
  /** The earliest due time in milliseconds; null if the heap is empty. */
  nextDue(): number | null;
  /** Removes all items that match. */
  removeWhere(matches: (item: Item) => boolean): void;
  size(): number;
}

interface Entry<Item> {
  readonly due: number;
  readonly item: Item;
}

/** A binary heap over due times in milliseconds. */
export function createDelayHeap<Item>(): DelayHeap<Item> {
  let entries: Entry<Item>[] = [];
  const dueAt = (index: number) => entries[index]?.due ?? Number.POSITIVE_INFINITY;
  const swap = (a: number, b: number) => {
    const [left, right] = [entries[a], entries[b]];
    if (left && right) [entries[a], entries[b]] = [right, left];
  };
  const rise = (start: number) => {
    let index = start;
    for (
      let parent = (index - 1) >> 1;
      index > 0 && dueAt(index) < dueAt(parent);
      parent = (index - 1) >> 1
    ) {
      swap(index, parent);
      index = parent;
    }
  };
  const sink = (start: number) => {
    for (let index = start; ; ) {
      const left = 2 * index + 1;
      const child = dueAt(left + 1) < dueAt(left) ? left + 1 : left;
      if (dueAt(child) >= dueAt(index)) return;
      swap(index, child);
      index = child;
    }
  };
  return {
    add(item, due) {
      entries.push({ due, item });
      rise(entries.length - 1);
    },
    pop(now) {
      const [first] = entries;
      if (first === undefined || first.due > now) return null;
      const last = entries.pop();
      if (last !== undefined && entries.length > 0) {
        entries[0] = last;
        sink(0);
      }
      return first.item;
    },
    nextDue: () => entries[0]?.due ?? null,
    removeWhere(matches) {
      entries = entries.filter(({ item }) => !matches(item));
      for (let index = (entries.length >> 1) - 1; index >= 0; index -= 1) sink(index);
    },
    size: () => entries.length,
  };
}
