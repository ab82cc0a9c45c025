/**
 * Destinations of the operator. If no reference is reached although receivers are, the references are blocked: they show
 * nothing until one is reached.
 */
export interface References {
  /** Records whether a try of all of them, begun at `startedAt`, reached any. */
  tried(reached: boolean, startedAt: number): void;
  /** Whether the last try reached none. */
  areUnreached(): boolean;
  /** Whether their failures show an outage. @param receiverReachedAt when the last POST that reached a receiver began */
  areTrusted(receiverReachedAt: number): boolean;
  /** Each in turn; null if there are none. */
  next(): string | null;
}

export function createReferences(origins: readonly string[]): References {
  let unreachedSince: number | null = null;
  let turn = 0;
  return {
    tried(reached, startedAt) {
      unreachedSince = reached ? null : (unreachedSince ?? startedAt);
    },
    areUnreached: () => unreachedSince !== null,
    areTrusted: (receiverReachedAt) =>
      origins.length > 0 && (unreachedSince === null || receiverReachedAt < unreachedSince),
    next() {
      const origin = origins[turn % origins.length];
      turn += 1;
      return origin ?? null;
    },
  };
}
