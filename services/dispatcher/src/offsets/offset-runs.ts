/**
 * Offsets of one partition as runs of consecutive ones: their size in memory depends on the number of runs, not of offsets.
 * A gap in the partition ends a run, so each offset between the bounds of a run was added.
 */
export class OffsetRuns {
  /** The first and the last offset of each run, ascending. The bounds of deleted runs come first. */
  #bounds: number[] = [];
  /** The index of the first run. */
  #start = 0;
  #size = 0;

  /** The number of offsets. */
  get size(): number {
    return this.#size;
  }

  /** The number of runs. */
  get runs(): number {
    return (this.#bounds.length - this.#start) / 2;
  }

  first(): number | null {
    return this.#bounds[this.#start] ?? null;
  }

  /** Adds an offset that is higher than all others. */
  add(offset: number): void {
    const bounds = this.#bounds;
    if (bounds.at(-1) === offset - 1) bounds[bounds.length - 1] = offset;
    else bounds.push(offset, offset);
    this.#size += 1;
  }

  /** Adds an offset that is not one of these, in any order. */
  insert(offset: number): void {
    const bounds = this.#bounds;
    const index = this.#indexOfRun(offset);
    if (index === bounds.length) return void this.add(offset);
    const isAfterRun = index > this.#start && bounds[index - 1] === offset - 1;
    const isBeforeRun = bounds[index] === offset + 1;
    if (isAfterRun && isBeforeRun) bounds.splice(index - 1, 2);
    else if (isAfterRun) bounds[index - 1] = offset;
    else if (isBeforeRun) bounds[index] = offset;
    else bounds.splice(index, 0, offset, offset);
    this.#size += 1;
  }

  /** @returns false if the offset is not one of these */
  delete(offset: number): boolean {
    const bounds = this.#bounds;
    const index = this.#indexOfRun(offset);
    const first = bounds[index];
    const last = bounds[index + 1];
    if (first === undefined || last === undefined || offset < first) return false;
    this.#size -= 1;
    if (first === last) this.#deleteRun(index);
    else if (offset === first) bounds[index] = offset + 1;
    else if (offset === last) bounds[index + 1] = offset - 1;
    else bounds.splice(index + 1, 0, offset - 1, offset + 1);
    return true;
  }

  /** The number of runs that do not end before an offset. */
  runsFrom(offset: number): number {
    return (this.#bounds.length - this.#indexOfRun(offset)) / 2;
  }

  /** Removes and returns the offsets from one on, ascending. */
  cutFrom(offset: number): readonly number[] {
    const cut: number[] = [];
    for (let index = this.#indexOfRun(offset); index < this.#bounds.length; index += 2) {
      const [first = offset, last = offset] = this.#bounds.slice(index, index + 2);
      for (let one = Math.max(first, offset); one <= last; one += 1) cut.push(one);
    }
    for (const one of cut.toReversed()) this.delete(one);
    return cut;
  }

  clear(): void {
    this.#bounds = [];
    this.#start = 0;
    this.#size = 0;
  }

  /** Moves the runs before it or those behind it, whichever are fewer: the oldest offsets are deleted first. */
  #deleteRun(index: number): void {
    const bounds = this.#bounds;
    if (index - this.#start > bounds.length - index) return void bounds.splice(index, 2);
    for (let at = index - 1; at >= this.#start; at -= 1) bounds[at + 2] = bounds[at] ?? Number.NaN;
    this.#start += 2;
    if (this.#start < bounds.length / 2) return;
    this.#bounds = bounds.slice(this.#start);
    this.#start = 0;
  }

  /** The index of the first run that does not end before an offset. */
  #indexOfRun(offset: number): number {
    let low = this.#start / 2;
    let high = this.#bounds.length / 2;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#bounds[2 * middle + 1] ?? offset) < offset) low = middle + 1;
      else high = middle;
    }
    return 2 * low;
  }
}
