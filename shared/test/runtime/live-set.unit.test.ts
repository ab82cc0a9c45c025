import { expect } from 'chai';
import { LiveSet } from '../../src/runtime/live-set.js';

const names = (set: LiveSet<{ readonly name: string }>) => [...set].map(({ name }) => name).sort();

describe('live set', () => {
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  let set: LiveSet<{ readonly name: string }>;
  beforeEach(() => {
    set = new LiveSet();
    for (const member of [a, b, c]) set.add(member);
  });

  it('has each member once', () => {
    set.add(b);
    expect([names(set), set.size]).to.deep.equal([['a', 'b', 'c'], 3]);
  });

  for (const [place, removed, left] of [
    ['first', a, ['b', 'c']],
    ['middle', b, ['a', 'c']],
    ['last', c, ['a', 'b']],
  ] as const) {
    it(`removes the ${place} member`, () => {
      set.delete(removed);
      set.delete(removed);
      expect([names(set), set.size]).to.deep.equal([left, 2]);
    });
  }

  it('takes a removed member again, and forgets all at once', () => {
    set.delete(a);
    set.add(a);
    expect(names(set)).to.deep.equal(['a', 'b', 'c']);
    set.clear();
    set.delete(b);
    expect([names(set), set.size]).to.deep.equal([[], 0]);
    set.add(b);
    expect(names(set)).to.deep.equal(['b']);
  });

  it('is independent of another one with the same member', () => {
    const others = new LiveSet<{ readonly name: string }>();
    others.add(a);
    set.delete(a);
    expect([names(others), names(set)]).to.deep.equal([['a'], ['b', 'c']]);
  });

  it('iterates over those that were members at the start', () => {
    const seen: string[] = [];
    for (const member of set) {
      set.delete(member);
      seen.push(member.name);
    }
    expect([seen, set.size]).to.deep.equal([['a', 'b', 'c'], 0]);
  });
});
