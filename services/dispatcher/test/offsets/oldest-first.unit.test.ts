import { expect } from 'chai';
import { type Neighbours, OldestFirst } from '../../src/offsets/oldest-first.js';

interface Named extends Neighbours<Named> {
  readonly name: string;
}

describe('entries with the oldest first', () => {
  let now: number;
  let entries: OldestFirst<Named>;
  let [a, b, c]: Named[] = [];
  const namesIn = (list: OldestFirst<Named>) => [...list].map(({ name }) => name);
  beforeEach(() => {
    now = 0;
    entries = new OldestFirst(() => now);
    [a, b, c] = ['a', 'b', 'c'].map((name) => ({ name, older: null, newer: null }));
    for (const entry of [a!, b!, c!]) entries.add(entry);
  });

  it('keep their order, whichever are deleted', () => {
    expect(namesIn(entries)).to.deep.equal(['a', 'b', 'c']);
    entries.delete(b!);
    expect(namesIn(entries)).to.deep.equal(['a', 'c']);
    entries.delete(c!);
    entries.add(b!);
    expect(namesIn(entries)).to.deep.equal(['a', 'b']);
    entries.delete(a!);
    expect(namesIn(entries)).to.deep.equal(['b']);
    entries.delete(b!);
    entries.add(c!);
    expect(namesIn(entries)).to.deep.equal(['c']);
  });

  it('know for how long the oldest one has been the oldest', () => {
    now = 10;
    entries.delete(b!);
    expect(entries.oldestForMs).to.equal(10);
    now = 12;
    entries.delete(a!);
    expect(entries.oldestForMs).to.equal(0);
    now = 15;
    expect(entries.oldestForMs).to.equal(3);
    entries.delete(c!);
    now = 20;
    expect(entries.oldestForMs).to.equal(0);
    entries.add(a!);
    now = 21;
    expect(entries.oldestForMs).to.equal(1);
  });

  it('keep no other one alive once they are deleted, and may be deleted one after the other', () => {
    for (const entry of entries) entries.delete(entry);
    expect(namesIn(entries)).to.deep.equal([]);
    for (const { older, newer } of [a!, b!, c!]) expect([older, newer]).to.deep.equal([null, null]);
  });
});
