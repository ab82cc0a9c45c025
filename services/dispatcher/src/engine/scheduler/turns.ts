import { Fifo } from './fifo.js';

/** The items of one group, in turn. */
export interface Queue<Group, Item> {
  readonly group: Group;
  readonly items: Fifo<Item>;
  /** The position in the heap; null while it is empty or held. */
  position: number | null;
  held: boolean;
  /** The sequence number of its last service. */
  turn: number;
}

/**
 * Two-level turns: the group that uses least comes first; groups with equal usage take turns, and so do the items of a
 * group. So a group that is alone gets everything, and groups that wait together get fair shares.
 */
export interface Turns<Group, Item> {
  add(group: Group, item: Item): void;
  /** The queue whose turn it is; null if there is none. */
  first(): Queue<Group, Item> | null;
  /** An item was taken from a queue: moves the queue behind those with the same usage, and removes it if it is empty. */
  served(queue: Queue<Group, Item>): void;
  /** Removes a queue whose items were all removed without being served: its group keeps its turn. */
  emptied(queue: Queue<Group, Item>): void;
  /** Removes a queue until it is released. */
  hold(queue: Queue<Group, Item>): void;
  /** The number of held queues. */
  held(): number;
  /** Brings back the held queues whose group matches. */
  release(matches: (group: Group) => boolean): void;
  /** The usage of a group has changed. */
  reorder(group: Group): void;
  /** Forgets a group without items. */
  forget(group: Group): void;
  /** The number of groups that have items and are not held. */
  size(): number;
  /** The number of a group's items; 0 while it is held. */
  itemsOf(group: Group): number;
}

export function createTurns<Group, Item>(usageOf: (group: Group) => number): Turns<Group, Item> {
  type Entry = Queue<Group, Item>;
  const queues = new Map<Group, Entry>();
  const held = new Set<Entry>();
  const heap: Entry[] = [];
  let turn = 0;
  const isBefore = (one: Entry, other: Entry) => {
    const difference = usageOf(one.group) - usageOf(other.group);
    return difference === 0 ? one.turn < other.turn : difference < 0;
  };
  const put = (entry: Entry, position: number) => {
    heap[position] = entry;
    entry.position = position;
  };
  const rise = (entry: Entry, from: number) => {
    let position = from;
    while (position > 0) {
      const parent = heap[(position - 1) >> 1];
      if (parent === undefined || !isBefore(entry, parent)) break;
      put(parent, position);
      position = (position - 1) >> 1;
    }
    put(entry, position);
    return position;
  };
  const sink = (entry: Entry, from: number) => {
    let position = from;
    for (;;) {
      const [left, right] = [heap[2 * position + 1], heap[2 * position + 2]];
      if (left === undefined) break;
      const child = right !== undefined && isBefore(right, left) ? right : left;
      if (!isBefore(child, entry)) break;
      const next = child.position ?? position;
      put(child, position);
      position = next;
    }
    put(entry, position);
  };
  const place = (entry: Entry, from: number) => sink(entry, rise(entry, from));
  const enter = (entry: Entry) => {
    if (entry.position === null && !entry.held && entry.items.size > 0) place(entry, heap.length);
  };
  const leave = (entry: Entry) => {
    const { position } = entry;
    if (position === null) return;
    entry.position = null;
    const last = heap.pop();
    if (last !== undefined && last !== entry) place(last, position);
  };
  const queueOf = (group: Group): Entry => {
    const existing = queues.get(group);
    if (existing !== undefined) return existing;
    turn += 1;
    const created: Entry = { group, items: new Fifo<Item>(), position: null, held: false, turn };
    queues.set(group, created);
    return created;
  };
  return {
    add(group, item) {
      const entry = queueOf(group);
      entry.items.push(item);
      enter(entry);
    },
    first: () => heap[0] ?? null,
    served(entry) {
      turn += 1;
      entry.turn = turn;
      if (entry.items.size === 0) leave(entry);
      else if (entry.position !== null) place(entry, entry.position);
    },
    emptied: leave,
    hold(entry) {
      leave(entry);
      entry.held = true;
      held.add(entry);
    },
    held: () => held.size,
    release(matches) {
      for (const entry of held) {
        if (!matches(entry.group)) continue;
        held.delete(entry);
        entry.held = false;
        enter(entry);
      }
    },
    reorder(group) {
      const entry = queues.get(group);
      if (entry !== undefined && entry.position !== null) place(entry, entry.position);
    },
    forget(group) {
      const entry = queues.get(group);
      if (entry === undefined) return;
      leave(entry);
      held.delete(entry);
      queues.delete(group);
    },
    size: () => heap.length,
    itemsOf(group) {
      const entry = queues.get(group);
      return entry === undefined || entry.held ? 0 : entry.items.size;
    },
  };
}
