/** The states of the guard. Times are in milliseconds. */
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
  /** Sends gradually more. */
  | { readonly kind: 'resuming'; readonly since: number };

export type GuardEvent =
  | { readonly kind: 'outage' }
  /** No reference is reached. */
  | { readonly kind: 'references' }
  | { readonly kind: 'canary'; readonly reached: boolean }
  | { readonly kind: 'time' };

export const WATCHING: GuardState = { kind: 'watching' };
/** How many of the last canaries decide whether sending resumes. */
export const CANARIES = 5;
/** Maximum number of POSTs in flight when sending resumes. */
const FIRST_ALLOWANCE = 16;

export interface HoldRule {
  /** How many of the last `CANARIES` must reach a server. */
  readonly canariesNeeded: number;
  /** How long the failure of references alone holds sending, in milliseconds: they themselves may have failed. */
  readonly referencesHoldMs: number;
  /** How long it takes until all may be sent again, in milliseconds. */
  readonly rampMs: number;
}

/** The next state. Pure. */
export function nextState(
  state: GuardState,
  event: GuardEvent,
  rule: HoldRule & { readonly now: number },
): GuardState {
  const { now } = rule;
  switch (state.kind) {
    case 'watching':
      return holdingFor(event, rule) ?? state;
    case 'resuming':
      return holdingFor(event, rule) ?? (now - state.since >= rule.rampMs ? WATCHING : state);
    case 'holding': {
      if (event.kind === 'time') return now >= state.until ? { kind: 'resuming', since: now } : state;
      if (event.kind !== 'canary') return state;
      const canaries = [...state.canaries, event.reached].slice(-CANARIES);
      const reached = canaries.filter((one) => one).length;
      return reached >= rule.canariesNeeded ? { kind: 'resuming', since: now } : { ...state, canaries };
    }
  }
}

function holdingFor(
  event: GuardEvent,
  { now, referencesHoldMs }: { readonly now: number; readonly referencesHoldMs: number },
): GuardState | null {
  if (event.kind !== 'outage' && event.kind !== 'references') return null;
  const until = event.kind === 'outage' ? Number.POSITIVE_INFINITY : now + referencesHoldMs;
  return { kind: 'holding', since: now, until, canaries: [] };
}

/** Maximum number of POSTs in flight in a state. */
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
