import { BLOCK, OffsetBits, RUNS_OF_BITS } from './offset-bits.js';
import { OffsetRuns } from './offset-runs.js';

/**
 * Offsets of one partition: as runs, and as bits in the blocks in which these are smaller. So the memory for the backlog of a workspace
 * depends neither on how much it publishes nor on how often others publish in between.
 */
export class OffsetSet {
  /** Those outside the blocks with bits. */
  readonly #sparse = new OffsetRuns();
  /** By the numbers of their blocks, ascending: only the last block changes to bits. None is empty. Most sets have no such block. */
  #dense: Map<number, OffsetBits> | null = null;
  #size = 0;

  /** The number of offsets. */
  get size(): number {
    return this.#size;
  }

  /** The memory that they take, in runs. */
  get runs(): number {
    return this.#sparse.runs + (this.#dense?.size ?? 0) * RUNS_OF_BITS;
  }

  first(): number | null {
    const sparse = this.#sparse.first();
    const dense = this.#firstDense();
    return sparse === null || dense === null ? (sparse ?? dense) : Math.min(sparse, dense);
  }

  /** Adds an offset that is higher than all others. */
  add(offset: number): void {
    this.#size += 1;
    const block = Math.floor(offset / BLOCK);
    const bits = this.#dense?.get(block);
    if (bits !== undefined) {
      bits.insert(offset);
      return;
    }
    this.#sparse.add(offset);
    if (this.#sparse.runsFrom(block * BLOCK) > RUNS_OF_BITS) this.#changeToBits(block);
  }

  /** Adds an offset that is not one of these, in any order. */
  insert(offset: number): void {
    this.#size += 1;
    (this.#dense?.get(Math.floor(offset / BLOCK)) ?? this.#sparse).insert(offset);
  }

  /** @returns false if the offset is not one of these */
  delete(offset: number): boolean {
    const block = Math.floor(offset / BLOCK);
    const bits = this.#dense?.get(block);
    const isDeleted = (bits ?? this.#sparse).delete(offset);
    if (isDeleted) this.#size -= 1;
    if (bits?.size === 0) this.#dense?.delete(block);
    return isDeleted;
  }

  clear(): void {
    this.#sparse.clear();
    this.#dense = null;
    this.#size = 0;
  }

  #firstDense(): number | null {
    const first = this.#dense?.values().next().value;
    return first?.first() ?? null;
  }

  #changeToBits(block: number): void {
    const bits = new OffsetBits(block * BLOCK);
    for (const offset of this.#sparse.cutFrom(block * BLOCK)) bits.insert(offset);
    this.#dense ??= new Map();
    this.#dense.set(block, bits);
  }
}
