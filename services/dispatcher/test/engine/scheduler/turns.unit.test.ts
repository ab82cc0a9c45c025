import { expect } from 'chai';
import fc from 'fast-check';
import { createTurns } from '../../../src/engine/scheduler/turns.js';

interface Group {
  readonly name: string;
  usage: number;
}

const group = (name: string, usage = 0): Group => ({ name, usage });
const newTurns = () => createTurns<Group, string>(({ usage }) => usage);

/** Takes the item whose turn it is. */
function take(turns: ReturnType<typeof newTurns>): string | undefined {
  const queue = turns.first();
  if (queue === null) return undefined;
  const item = queue.items.shift();
  turns.served(queue);
  return item;
}

const takeAll = (turns: ReturnType<typeof newTurns>) => {
  const taken: string[] = [];
  for (let item = take(turns); item !== undefined; item = take(turns)) taken.push(item);
  return taken;
};

describe('turns', () => {
  it('alternate between groups, and keep the order of each', () => {
    const turns = newTurns();
    const [a, b] = [group('a'), group('b')];
    for (const item of ['a1', 'a2', 'a3']) turns.add(a, item);
    turns.add(b, 'b1');
    expect(takeAll(turns)).to.deep.equal(['a1', 'b1', 'a2', 'a3']);
  });

  it('prefer the group that uses least', () => {
    const turns = newTurns();
    const [a, b] = [group('a', 2), group('b', 1)];
    turns.add(a, 'a1');
    turns.add(a, 'a2');
    turns.add(b, 'b1');
    turns.add(b, 'b2');
    expect(take(turns)).to.equal('b1');
    b.usage = 3;
    turns.reorder(b);
    expect(takeAll(turns)).to.deep.equal(['a1', 'a2', 'b2']);
  });

  it('are kept by a group of which nothing could be taken', () => {
    const turns = newTurns();
    const [a, b] = [group('a'), group('b')];
    for (const item of ['a1', 'a2']) turns.add(a, item);
    turns.add(b, 'b1');
    expect(take(turns)).to.equal('a1');
    const queue = turns.first()!;
    queue.items.shift();
    turns.emptied(queue);
    expect(take(turns)).to.equal('a2');
    turns.add(a, 'a3');
    turns.add(b, 'b2');
    expect(takeAll(turns)).to.deep.equal(['b2', 'a3']);
  });

  it('pass over a group that is held until it is released', () => {
    const turns = newTurns();
    const [a, b] = [group('a'), group('b')];
    turns.add(a, 'a1');
    turns.add(b, 'b1');
    turns.hold(turns.first()!);
    turns.add(a, 'a2');
    expect([turns.itemsOf(a), turns.itemsOf(b)]).to.deep.equal([0, 1]);
    expect(takeAll(turns)).to.deep.equal(['b1']);
    turns.release(({ name }) => name === 'b');
    expect(takeAll(turns)).to.deep.equal([]);
    turns.release(({ name }) => name === 'a');
    expect(takeAll(turns)).to.deep.equal(['a1', 'a2']);
  });

  it('forget a group', () => {
    const turns = newTurns();
    const a = group('a');
    turns.add(a, 'a1');
    turns.forget(a);
    expect(turns.first()).to.equal(null);
    turns.add(a, 'a2');
    expect(takeAll(turns)).to.deep.equal(['a2']);
  });

  it('always begin with a group of least usage, for any changes', () => {
    const change = fc.record({ group: fc.nat(9), usage: fc.nat(5), add: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 100, size: 'max' }), (changes) => {
        const turns = newTurns();
        const groups = Array.from({ length: 10 }, (_, index) => ({ ...group(`${index}`), items: 0 }));
        for (const { group: index, usage, add } of changes) {
          const one = groups[index]!;
          one.usage = usage;
          turns.reorder(one);
          if (add) {
            turns.add(one, 'item');
            one.items += 1;
          } else {
            const first = turns.first();
            if (first !== null) (first.group as typeof one).items -= 1;
            take(turns);
          }
          const waiting = groups.filter(({ items }) => items > 0).map((each) => each.usage);
          expect(turns.first()?.group.usage ?? null).to.equal(
            waiting.length > 0 ? Math.min(...waiting) : null,
          );
        }
      }),
      { numRuns: 50 },
    );
  });
});
