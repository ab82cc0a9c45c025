import { expect } from 'chai';
import fc from 'fast-check';
import { createDelayHeap } from '../../../src/engine/scheduler/delay-heap.js';

describe('delay heap', () => {
  it('returns no item before it is due, and the earliest first', () => {
    const heap = createDelayHeap<string>();
    heap.add('late', 300);
    heap.add('early', 100);
    heap.add('middle', 200);
    expect(heap.nextDue()).to.equal(100);
    expect(heap.pop(99)).to.equal(null);
    expect(heap.pop(100)).to.equal('early');
    expect(heap.pop(100)).to.equal(null);
    expect([heap.pop(999), heap.pop(999), heap.pop(999)]).to.deep.equal(['middle', 'late', null]);
    expect(heap.nextDue()).to.equal(null);
    expect(heap.size()).to.equal(0);
  });

  it('checks every item once when removing', () => {
    const heap = createDelayHeap<number>();
    const asked: number[] = [];
    for (const item of [3, 1, 2]) heap.add(item, item);
    heap.removeWhere((item) => {
      asked.push(item);
      return item === 1;
    });
    expect(asked).to.have.members([1, 2, 3]).and.have.length(3);
    expect([heap.pop(9), heap.pop(9), heap.pop(9)]).to.deep.equal([2, 3, null]);
  });
});

interface Item {
  readonly id: number;
  readonly due: number;
}
type Step =
  | { readonly do: 'add'; readonly due: number }
  | { readonly do: 'take'; readonly now: number }
  | { readonly do: 'drop'; readonly remainder: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('add' as const), due: fc.nat(100) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('take' as const), now: fc.nat(100) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), remainder: fc.nat(3) }) },
);

describe('delay heap, for any order of operations', () => {
  it('behaves like a list that is sorted by due time', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
        const heap = createDelayHeap<Item>();
        let list: Item[] = [];
        steps.forEach((action, id) => {
          if (action.do === 'add') {
            const item = { id, due: action.due };
            heap.add(item, item.due);
            list = [...list, item].sort((a, b) => a.due - b.due);
          } else if (action.do === 'take') {
            const item = heap.pop(action.now);
            const first = list.find(({ due }) => due <= action.now);
            expect(item?.due).to.equal(first?.due);
            if (item) expect(list).to.include(item);
            list = list.filter((one) => one !== item);
          } else {
            const matches = (item: Item) => item.id % 4 === action.remainder;
            heap.removeWhere(matches);
            list = list.filter((one) => !matches(one));
          }
          expect(heap.size()).to.equal(list.length);
          expect(heap.nextDue()).to.equal(list[0]?.due ?? null);
        });
        const rest = list.map(() => heap.pop(Number.POSITIVE_INFINITY));
        expect(rest).to.have.members(list);
        expect(rest.map((item) => item?.due)).to.deep.equal(list.map(({ due }) => due));
      }),
      { numRuns: 30 },
    );
  });
});
