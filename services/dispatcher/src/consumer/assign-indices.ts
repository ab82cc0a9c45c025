/** A group member with the claim that it sent when it joined. */
export interface Member {
  readonly memberId: string;
  /** Partition indices of its previous assignment. */
  readonly owned: readonly number[];
  /** The group generation of that assignment. If two members claim an index, the newer generation wins. */
  readonly generation: number;
}

/**
 * Assigns the indices 0 … count - 1 to the members: each index to exactly one member, with shares that differ by one at
 * most and as few moved indices as possible. The result does not depend on the order of the members.
 *
 * @returns the indices of every member, ascending; surplus members have none
 */
export function assignIndices(members: readonly Member[], count: number): Map<string, number[]> {
  const owners = sortedOwners(members, count);
  const share = Math.floor(count / owners.length);
  const largerShares = count - share * owners.length;
  const kept = owners.map(({ memberId, owned }, rank) => {
    const quota = rank < largerShares ? share + 1 : share;
    return { memberId, quota, indices: owned.slice(0, quota) };
  });
  const free = remainingIndices(
    kept.flatMap(({ indices }) => indices),
    count,
  );
  return new Map(
    kept.map(({ memberId, quota, indices }) => {
      const added = free.splice(0, quota - indices.length);
      return [memberId, [...indices, ...added].sort((a, b) => a - b)];
    }),
  );
}

interface Owner {
  readonly memberId: string;
  readonly owned: number[];
}

/** Members by the number of their valid claims, descending, so that larger shares save moves. */
function sortedOwners(members: readonly Member[], count: number): Owner[] {
  const owned = new Map<string, number[]>(members.map(({ memberId }) => [memberId, []]));
  for (const [index, owner] of ownersOf(members, count).entries()) {
    if (owner !== null) owned.get(owner.memberId)?.push(index);
  }
  return [...owned]
    .map(([memberId, indices]) => ({ memberId, owned: indices }))
    .sort((a, b) => b.owned.length - a.owned.length || compareIds(a.memberId, b.memberId));
}

/** The member with the valid claim of each index. Claims of indices that do not exist are ignored. */
function ownersOf(members: readonly Member[], count: number): readonly (Member | null)[] {
  const owners = Array.from({ length: count }, (): Member | null => null);
  for (const member of [...members].sort((a, b) => compareIds(a.memberId, b.memberId))) {
    for (const index of member.owned) {
      const owner = owners[index];
      if (owner === undefined) continue;
      if (owner === null || member.generation > owner.generation) owners[index] = member;
    }
  }
  return owners;
}

function remainingIndices(taken: readonly number[], count: number): number[] {
  const all = new Set(Array.from({ length: count }, (_, index) => index));
  for (const index of taken) all.delete(index);
  return [...all];
}

function compareIds(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
