/** Called after each join of the group, with the id that the group has given this member. */
export type Joined = (memberId: string, owned: readonly number[]) => void;

/**
 * Passes assignments on. A member keeps its id while it takes part in every rebalance. If it gets a new id, another member
 * may have owned its partitions meanwhile: they are assigned anew, because their open offsets would set back the offsets
 * that the other member has committed.
 */
export function createMembership(assign: (indices: readonly number[]) => void): Joined {
  let current: string | null = null;
  return (memberId, owned) => {
    if (memberId !== current) assign([]);
    current = memberId;
    assign(owned);
  };
}
