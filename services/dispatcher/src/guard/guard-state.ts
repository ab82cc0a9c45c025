/** What the guard does. Times are in milliseconds. */
export type GuardState =
  | { readonly kind: 'watching' }
  /**
   * Sends nothing but canaries.
   *
   * @property until when sending is tried again whatever the canaries show; Infinity if only they end it
   * @property canaries whether the last ones reached a server, oldest first
   */
  | {
      readonly kind: 'holding';
      readonly since: number;
      readonly until: number;
      readonly canaries: readonly boolean[];
    }
  /** Sends more and more. */
  | { readonly kind: 'resuming'; readonly since: number };

export type GuardEvent =
  | { readonly kind: 'outage' }
  /** No reference is reached. */
  | { readonly kind: 'references' }
  | { readonly kind: 'canary'; readonly reached: boolean }
  | { readonly kind: 'time' };

export const WATCHING: GuardState = { kind: 'watching' };
/** Of the last five canaries three must reach a server. */
const CANARIES = 5;
const CANARIES_NEEDED = 3;
/** How long the failure of references alone holds sending, in milliseconds: they may be what fails. */
const REFERENCES_HOLD_MS = 30_000;
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
      return holdingFor(event, now) ?? state;
    case 'resuming':
      return holdingFor(event, now) ?? (now - state.since >= rampMs ? WATCHING : state);
    case 'holding': {
      if (event.kind === 'time') return now >= state.until ? { kind: 'resuming', since: now } : state;
      if (event.kind !== 'canary') return state;
      const canaries = [...state.canaries, event.reached].slice(-CANARIES);
      const reached = canaries.filter((one) => one).length;
      return reached >= CANARIES_NEEDED ? { kind: 'resuming', since: now } : { ...state, canaries };
    }
  }
}

function holdingFor(event: GuardEvent, now: number): GuardState | null {
  if (event.kind !== 'outage' && event.kind !== 'references') return null;
  const until = event.kind === 'outage' ? Number.POSITIVE_INFINITY : now + REFERENCES_HOLD_MS;
  return { kind: 'holding', since: now, until, canaries: [] };
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
