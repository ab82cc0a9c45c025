/** The number of offsets of a block. */
export const BLOCK = 4_096;
/** The bits of a block take as much memory as this many runs. */
export const RUNS_OF_BITS = 48;

const WORD = 32;

/** Offsets of one block, one bit for each of the block. */
export class OffsetBits {
  readonly #words = new Uint32Array(BLOCK / WORD);
  readonly #start: number;
  #size = 0;

  /** @param start the first offset of the block */
  constructor(start: number) {
    this.#start = start;
  }

  get size(): number {
    return this.#size;
  }

  first(): number | null {
    let index = 0;
    while (this.#words[index] === 0) index += 1;
    const word = this.#words[index];
    if (word === undefined) return null;
    return this.#start + index * WORD + (WORD - 1 - Math.clz32(word & -word));
  }

  /** Adds an offset of the block that is not one of these. */
  insert(offset: number): void {
    this.#flip(offset);
    this.#size += 1;
  }

  /** @param offset one of the block. @returns false if it is not one of these */
  delete(offset: number): boolean {
    if (!this.#has(offset)) return false;
    this.#flip(offset);
    this.#size -= 1;
    return true;
  }

  #has(offset: number): boolean {
    const at = offset - this.#start;
    return ((this.#words[Math.floor(at / WORD)] ?? 0) & (1 << (at % WORD))) !== 0;
  }

  #flip(offset: number): void {
    const at = offset - this.#start;
    const index = Math.floor(at / WORD);
    this.#words[index] = (this.#words[index] ?? 0) ^ (1 << (at % WORD));
  }
}
