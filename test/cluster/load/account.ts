/** What became of the events of a step. */
export interface Account {
  readonly accepted: number;
  /** Accepted, but never received. */
  readonly lost: number;
  /** Accepted POSTs beyond the first of an event. */
  readonly repeated: number;
  /** Calls whose connection was refused, or ended without an answer. */
  readonly reset: number;
  /** Calls that had no answer in time. */
  readonly late: number;
  /** Calls that were answered, but not accepted. */
  readonly refused: number;
}

/** Compares accepted events with the POSTs that arrived. */
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
