/** Removed items are discarded together once there are at least this many and they fill half of the array. */
const COMPACT_FROM = 64;

/**
 * A queue whose operations take constant time, however long it is. There are several for each endpoint with work, so it is a
 * class: an object of closures takes ten times the memory.
 */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  get size(): number {
    return this.#items.length - this.#head;
  }

  push(item: Item): void {
    // An array literal has room for its items only; an empty array that is pushed to gets room for 17.
    if (this.size > 0) this.#items.push(item);
    else this.#restart([item]);
  }

  /** Puts an item back in front of all others. */
  unshift(item: Item): void {
    if (this.#head === 0) {
      this.#items.unshift(item);
      return;
    }
    this.#head -= 1;
    this.#items[this.#head] = item;
  }

  shift(): Item | undefined {
    if (this.size === 0) return undefined;
    const item = this.#items[this.#head];
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= COMPACT_FROM && this.#head * 2 >= this.#items.length)
      this.#restart(this.#items.slice(this.#head));
    return item;
  }

  peek(): Item | undefined {
    return this.#items[this.#head];
  }

  /** The first `count` items, without removing them. */
  first(count: number): readonly Item[] {
    return this.#items.slice(this.#head, this.#head + count) as Item[];
  }

  /** Removes and returns all items behind the first `keep`. */
  cutAfter(keep: number): Item[] {
    return this.#items.splice(Math.min(this.#head + keep, this.#items.length)) as Item[];
  }

  #restart(items: (Item | undefined)[]): void {
    this.#items = items;
    this.#head = 0;
  }
}
