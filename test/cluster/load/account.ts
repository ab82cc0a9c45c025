/** What became of the deliveries of a step, one for each accepted event and endpoint. */
export interface Account {
  readonly accepted: number;
  /** Accepted, but never received. */
  readonly lost: number;
  /** Accepted POSTs beyond the first of a delivery. */
  readonly repeated: number;
  /** Calls that were accepted. */
  readonly calls: number;
  /** Calls whose connection was refused, or ended without an answer. */
  readonly reset: number;
  /** Calls that had no answer in time. */
  readonly late: number;
  /** Calls that were answered, but not accepted. */
  readonly refused: number;
}

/** By what a POST is recognised: the path of its endpoint, and an id of its event. */
export const deliveryTo = (path: string, id: string): string => `${path} ${id}`;

/** Compares accepted deliveries with the POSTs that arrived. */
export function accountFor(
  accepted: readonly string[],
  posts: ReadonlyMap<string, number>,
): Pick<Account, 'accepted' | 'lost' | 'repeated'> {
  const counts = accepted.map((id) => posts.get(id) ?? 0);
  return {
    accepted: accepted.length,
    lost: counts.filter((count) => count === 0).length,
    repeated: counts.reduce((sum, count) => sum + Math.max(0, count - 1), 0),
  };
}

/** The error of a call that had no answer in time. */
export const NO_ANSWER = 'no answer in time';

/** Counts the errors of calls. */
export function callsOf(errors: readonly string[]): Pick<Account, 'reset' | 'late'> {
  const late = errors.filter((error) => error === NO_ANSWER).length;
  return { reset: errors.length - late, late };
}
