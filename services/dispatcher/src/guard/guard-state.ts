/** What the guard does. Times are in milliseconds. */
export type GuardState =
  | { readonly kind: 'watching' }
  /** Sends nothing but canaries. @property canaries whether the last ones reached a server, oldest first */
  | { readonly kind: 'holding'; readonly since: number; readonly canaries: readonly boolean[] }
  /** Sends more and more. */
  | { readonly kind: 'resuming'; readonly since: number };

export type GuardEvent =
  | { readonly kind: 'outage' }
  | { readonly kind: 'canary'; readonly reached: boolean }
  | { readonly kind: 'time' };

export const WATCHING: GuardState = { kind: 'watching' };
/** Of the last five canaries three must reach a server. */
const CANARIES = 5;
const CANARIES_NEEDED = 3;
/** The POSTs that may be in flight when sending resumes. */
const FIRST_ALLOWANCE = 16;

/** The next state. Pure. */
export function nextState(
  state: GuardState,
  event: GuardEvent,
  { now, rampMs }: { readonly now: number; readonly rampMs: number },
): GuardState {
  switch (state.kind) {
    case 'watching':
      return event.kind === 'outage' ? { kind: 'holding', since: now, canaries: [] } : state;
    case 'resuming':
      if (event.kind === 'outage') return { kind: 'holding', since: now, canaries: [] };
      return now - state.since >= rampMs ? WATCHING : state;
    case 'holding': {
      if (event.kind !== 'canary') return state;
      const canaries = [...state.canaries, event.reached].slice(-CANARIES);
      const reached = canaries.filter((one) => one).length;
      return reached >= CANARIES_NEEDED ? { kind: 'resuming', since: now } : { ...state, canaries };
    }
  }
}

/** The POSTs that may be in flight in a state. */
export function allowanceOf(
  state: GuardState,
  {
    now,
    rampMs,
    maxInFlight,
  }: { readonly now: number; readonly rampMs: number; readonly maxInFlight: number },
): number {
  switch (state.kind) {
    case 'watching':
      return Number.POSITIVE_INFINITY;
    case 'holding':
      return 0;
    case 'resuming':
      return Math.max(FIRST_ALLOWANCE, Math.ceil((maxInFlight * (now - state.since)) / rampMs));
  }
}
