import { Fifo } from './fifo.js';

/** Finds items that reach a fixed age. The age is the same for all, so they reach it in order of arrival. */
export interface Ageing<Item> {
  add(item: Item, now: number): void;
  /** Removes and returns the oldest item if it has reached the age. */
  next(now: number): Item | null;
  /** When the oldest item reaches the age; null if there is none. */
  nextAt(): number | null;
}

export function createAgeing<Item>(ageMs: number): Ageing<Item> {
  const entries = new Fifo<{ readonly item: Item; readonly due: number }>();
  return {
    add: (item, now) => entries.push({ item, due: now + ageMs }),
    next(now) {
      const first = entries.peek();
      if (first === undefined || first.due > now) return null;
      entries.shift();
      return first.item;
    },
    nextAt: () => entries.peek()?.due ?? null,
  };
}
