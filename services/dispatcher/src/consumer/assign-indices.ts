/** What a member of the group says about itself when it joins. */
export interface Member {
  readonly memberId: string;
  /** Partition indices that it still holds from the assignment before. */
  readonly owned: readonly number[];
  /** The generation of the group in which it got them; of two that claim an index, the newer is right. */
  readonly generation: number;
}

/**
 * Deals the indices 0 … count - 1 to the members: each index to exactly one, loads that differ by at most one, and as
 * few indices as possible taken from whoever holds them. The order of the members makes no difference.
 *
 * @returns for every member its indices, ascending; none for some when there are more members than indices
 */
export function assignIndices(members: readonly Member[], count: number): Map<string, number[]> {
  const holders = byWhatTheyHold(members, count);
  const share = Math.floor(count / holders.length);
  const largerShares = count - share * holders.length;
  const kept = holders.map(({ memberId, held }, rank) => {
    const quota = rank < largerShares ? share + 1 : share;
    return { memberId, quota, indices: held.slice(0, quota) };
  });
  const free = indicesWithout(
    kept.flatMap(({ indices }) => indices),
    count,
  );
  return new Map(
    kept.map(({ memberId, quota, indices }) => {
      const taken = free.splice(0, quota - indices.length);
      return [memberId, [...indices, ...taken].sort((a, b) => a - b)];
    }),
  );
}

interface Holder {
  readonly memberId: string;
  readonly held: number[];
}

/** Most first, so that the larger shares go where they save a move. */
function byWhatTheyHold(members: readonly Member[], count: number): Holder[] {
  const owners = ownersOf(members, count);
  const holders = new Map<string, number[]>(members.map(({ memberId }) => [memberId, []]));
  for (const [index, owner] of owners.entries()) {
    if (owner !== null) holders.get(owner.memberId)?.push(index);
  }
  return [...holders]
    .map(([memberId, held]) => ({ memberId, held }))
    .sort((a, b) => b.held.length - a.held.length || inOrder(a.memberId, b.memberId));
}

/** For each index the member whose claim counts. Claims to indices that do not exist do not. */
function ownersOf(members: readonly Member[], count: number): readonly (Member | null)[] {
  const owners = Array.from({ length: count }, (): Member | null => null);
  for (const member of [...members].sort((a, b) => inOrder(a.memberId, b.memberId))) {
    for (const index of member.owned) {
      const owner = owners[index];
      if (owner === undefined) continue;
      if (owner === null || member.generation > owner.generation) owners[index] = member;
    }
  }
  return owners;
}

function indicesWithout(taken: readonly number[], count: number): number[] {
  const all = new Set(Array.from({ length: count }, (_, index) => index));
  for (const index of taken) all.delete(index);
  return [...all];
}

function inOrder(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
