/** Called after each join of the group, with the id that the group has given this member. */
export type Joined = (memberId: string, owned: readonly number[]) => void;

/**
 * Passes assignments on. A member keeps its id for as long as it takes part in every rebalance. Under a new id its partitions
 * may have been another member's meanwhile: they are assigned anew then, because what was open of them would set back
 * the offsets that the other member has committed.
 */
export function createMembership(assign: (indices: readonly number[]) => void): Joined {
  let current: string | null = null;
  return (memberId, owned) => {
    if (memberId !== current) assign([]);
    current = memberId;
    assign(owned);
  };
}
