/** Chance that can be had again: the same seed gives the same numbers in the same order. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  /**
   * A sequence of its own, whatever was drawn from this one: for those that draw at the same time.
   *
   * @param names tell it from others
   */
  branch(...names: readonly number[]): Random;
}

/** @param seeds together they choose the sequence, such as the run's seed and a fault's number */
export function randomFrom(...seeds: readonly number[]): Random {
  let state = seeds.reduce((hash, seed) => Math.imul(hash ^ seed, 0x01000193) >>> 0, 0x811c9dc5);
  const next = () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    between,
    pick<T>(items: readonly T[]): T {
      const picked = items[between(0, items.length - 1)];
      if (picked === undefined) throw new RangeError('there is nothing to pick from');
      return picked;
    },
    branch: (...names) => randomFrom(...seeds, ...names),
  };
}
