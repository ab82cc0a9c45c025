/** Random numbers from a seed: the same seed gives the same numbers in the same order. */
export interface Random {
  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** An integer from `least` to `most`, both inclusive. */
  between(least: number, most: number): number;
  pick<T>(items: readonly T[]): T;
  /** Another sequence that does not depend on the numbers drawn so far, for concurrent use. */
  branch(...names: readonly number[]): Random;
}

/** @param seeds together they determine the sequence */
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
      if (items.length === 0) throw new RangeError('there is nothing to pick from');
      return items[between(0, items.length - 1)] as T;
    },
    branch: (...names) => randomFrom(...seeds, ...names),
  };
}
