import { expect } from 'chai';
import fc from 'fast-check';
import { assignIndices, type Member } from '../../src/consumer/assign-indices.js';

const COUNTS = fc.integer({ min: 1, max: 40 });
const member = (memberId: string, owned: readonly number[] = [], generation = 1): Member => ({
  memberId,
  owned,
  generation,
});
/** Arbitrary claims: overlapping, repeated, out of range. */
const MEMBERS = fc
  .uniqueArray(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 8 })
  .chain((ids) =>
    fc.tuple(
      ...ids.map((memberId) =>
        fc.record({
          memberId: fc.constant(memberId),
          owned: fc.array(fc.integer({ min: -2, max: 45 }), { maxLength: 20 }),
          generation: fc.integer({ min: 0, max: 3 }),
        }),
      ),
    ),
  );

/** The members after an assignment. */
function settled(assignment: ReadonlyMap<string, readonly number[]>): Member[] {
  return [...assignment].map(([memberId, owned]) => member(memberId, owned));
}

/** The number of indices that moved to another member. */
function moves(
  before: ReadonlyMap<string, readonly number[]>,
  after: ReadonlyMap<string, readonly number[]>,
) {
  const stayed = [...after].flatMap(([memberId, indices]) =>
    indices.filter((index) => before.get(memberId)?.includes(index)),
  );
  return [...after.values()].flat().length - stayed.length;
}

/** A group of `size` members that joined one by one. */
function grown(size: number, count: number): Map<string, number[]> {
  let assignment = new Map<string, number[]>();
  for (let joined = 1; joined <= size; joined += 1) {
    assignment = assignIndices([...settled(assignment), member(`m${joined}`)], count);
  }
  return assignment;
}

/** The maximum number of indices that a balanced assignment can keep, if no index is claimed twice. */
function mostThatCanStay(members: readonly Member[], count: number): number {
  const share = Math.floor(count / members.length);
  const larger = count - share * members.length;
  const held = members.map(({ owned }) => owned.length);
  const savedByLarger = held.filter((size) => size > share).length;
  return held.reduce((sum, size) => sum + Math.min(size, share), 0) + Math.min(larger, savedByLarger);
}

describe('assignIndices', () => {
  it('assigns every index to exactly one member, in shares that differ by one at most', () => {
    fc.assert(
      fc.property(MEMBERS, COUNTS, (members, count) => {
        const assignment = assignIndices(members, count);
        const all = [...assignment.values()].flat().sort((a, b) => a - b);
        expect(all).to.deep.equal(Array.from({ length: count }, (_, index) => index));
        const loads = [...assignment.values()].map((indices) => indices.length);
        expect(Math.max(...loads) - Math.min(...loads)).to.be.at.most(1);
        expect([...assignment.keys()]).to.have.members(members.map(({ memberId }) => memberId));
      }),
    );
  });

  it('does not depend on the order of the members', () => {
    const shuffled = MEMBERS.chain((members) =>
      fc.tuple(fc.constant(members), fc.shuffledSubarray(members, { minLength: members.length })),
    );
    fc.assert(
      fc.property(shuffled, COUNTS, ([members, others], count) => {
        const [one, other] = [assignIndices(members, count), assignIndices(others, count)];
        expect([...other].sort()).to.deep.equal([...one].sort());
      }),
    );
  });

  it('moves as few indices as balance allows', () => {
    const holders = fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 1, maxLength: 40 }).map((owners) =>
      Array.from({ length: 6 }, (_, id) =>
        member(
          `m${id}`,
          owners.flatMap((owner, index) => (owner === id ? [index] : [])),
        ),
      ),
    );
    fc.assert(
      fc.property(holders, fc.nat(5), (members, spare) => {
        const count = members.flatMap(({ owned }) => owned).length + spare;
        const before = new Map(members.map(({ memberId, owned }) => [memberId, owned]));
        const stayed = count - moves(before, assignIndices(members, count));
        expect(stayed).to.equal(mostThatCanStay(members, count));
      }),
    );
  });

  it('moves only the share of the new member when a member joins', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), COUNTS, (size, count) => {
        const before = grown(size, count);
        const after = assignIndices([...settled(before), member('a newcomer')], count);
        expect(moves(before, after)).to.equal(Math.floor(count / (size + 1)));
      }),
    );
  });

  it('moves only the indices of a leaving member', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 10 }), COUNTS, fc.nat(), (size, count, pick) => {
        const before = grown(size, count);
        const leaving = `m${1 + (pick % size)}`;
        const rest = settled(before).filter(({ memberId }) => memberId !== leaving);
        expect(moves(before, assignIndices(rest, count))).to.equal(before.get(leaving)?.length);
      }),
    );
  });

  it('keeps the assignment of unchanged members', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10 }), COUNTS, (size, count) => {
        const before = grown(size, count);
        expect([...assignIndices(settled(before), count)].sort()).to.deep.equal([...before].sort());
      }),
    );
  });

  it('prefers the claim of the newer generation, then that of the lower id', () => {
    const zombie = member('a', [0, 1], 3);
    expect([...assignIndices([zombie, member('b', [0, 1], 4)], 4)]).to.have.deep.members([
      ['b', [0, 1]],
      ['a', [2, 3]],
    ]);
    expect([...assignIndices([zombie, member('b', [0, 1], 3)], 4)]).to.have.deep.members([
      ['a', [0, 1]],
      ['b', [2, 3]],
    ]);
  });

  it('assigns no index to surplus members', () => {
    const members = ['a', 'b', 'c'].map((memberId) => member(memberId));
    expect([...assignIndices(members, 2)]).to.deep.equal([
      ['a', [0]],
      ['b', [1]],
      ['c', []],
    ]);
  });
});
