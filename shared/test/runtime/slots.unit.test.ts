import { expect } from 'chai';
import { Slots } from '../../src/runtime/slots.js';

const names = (slots: Slots<{ readonly name: string }>) => [...slots].map(({ name }) => name).sort();

describe('slots', () => {
  const [a, b, c] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }];
  let slots: Slots<{ readonly name: string }>;
  beforeEach(() => {
    slots = new Slots();
    for (const member of [a, b, c]) slots.add(member);
  });

  it('have each member once', () => {
    slots.add(b);
    expect([names(slots), slots.size]).to.deep.equal([['a', 'b', 'c'], 3]);
  });

  for (const [place, removed, left] of [
    ['first', a, ['b', 'c']],
    ['middle', b, ['a', 'c']],
    ['last', c, ['a', 'b']],
  ] as const) {
    it(`remove the ${place} member`, () => {
      slots.delete(removed);
      slots.delete(removed);
      expect([names(slots), slots.size]).to.deep.equal([left, 2]);
    });
  }

  it('take a removed member again, and forget all at once', () => {
    slots.delete(a);
    slots.add(a);
    expect(names(slots)).to.deep.equal(['a', 'b', 'c']);
    slots.clear();
    slots.delete(b);
    expect([names(slots), slots.size]).to.deep.equal([[], 0]);
    slots.add(b);
    expect(names(slots)).to.deep.equal(['b']);
  });

  it('know nothing of other slots', () => {
    const others = new Slots<{ readonly name: string }>();
    others.add(a);
    slots.delete(a);
    expect([names(others), names(slots)]).to.deep.equal([['a'], ['b', 'c']]);
  });

  it('iterate over those that were members at the start', () => {
    const seen: string[] = [];
    for (const member of slots) {
      slots.delete(member);
      seen.push(member.name);
    }
    expect([seen, slots.size]).to.deep.equal([['a', 'b', 'c'], 0]);
  });
});
