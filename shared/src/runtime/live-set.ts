/**
 * A set of objects that come and go. A `Set` makes a new table after some removals, and each old table keeps its members and the
 * next table until a full garbage collection, so that everything members refer to gets old. This set refers only to its members.
 * They get a property with their place.
 */
export class LiveSet<Member extends object> implements Iterable<Member> {
  readonly #place = Symbol('place');
  #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  add(member: Member): void {
    if (this.#placeOf(member) !== undefined) return;
    this.#put(member, this.#members.length);
    this.#members.push(member);
  }

  /** The last member takes the place of this one. */
  delete(member: Member): void {
    const place = this.#placeOf(member);
    const last = this.#members.at(-1);
    if (place === undefined || last === undefined) return;
    this.#members[place] = last;
    this.#put(last, place);
    this.#members.pop();
    this.#put(member, undefined);
  }

  clear(): void {
    for (const member of this.#members) this.#put(member, undefined);
    this.#members = [];
  }

  /** Iterates over those that are members now, in no particular order. */
  [Symbol.iterator](): Iterator<Member> {
    return [...this.#members].values();
  }

  #placeOf(member: Member): number | undefined {
    return (member as Placed)[this.#place];
  }

  #put(member: Member, place: number | undefined): void {
    (member as Placed)[this.#place] = place;
  }
}

interface Placed {
  [place: symbol]: number | undefined;
}
