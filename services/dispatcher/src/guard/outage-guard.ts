import type { OutageGuard } from '../ports/guard.js';
import { createBaseline } from './baseline.js';
import { createEvidenceStore } from './evidence.js';
import { allowanceOf, type GuardEvent, type GuardState, nextState, WATCHING } from './guard-state.js';
import { isOutage, mergeDomains, type OutageRule, type TriedDomain, unreachedShare } from './judge-outage.js';
import { registrableDomain } from './registrable-domain.js';
import { createWithheld } from './withheld.js';

export interface GuardSettings extends OutageRule {
  /** The time in which domains must have been tried, in milliseconds. */
  readonly windowMs: number;
  /** How long an observation may be withheld, in milliseconds. */
  readonly withholdMs: number;
  readonly maxWithheld: number;
  /** How long it takes until all may be sent again, in milliseconds. */
  readonly rampMs: number;
  readonly maxInFlight: number;
}

export interface OutageGuardParts {
  readonly settings: GuardSettings;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  /** Whether failures are judged by reference destinations where there are too few domains. */
  readonly hasReferences: boolean;
  /** Called when a first observation is withheld: `tick` has to be called from now on. */
  readonly onActive?: () => void;
  readonly onState?: (state: GuardState, discarded: number) => void;
  readonly onDiscarded?: () => void;
}

/** The guard without timers, probes and storage. */
export interface GuardCore extends OutageGuard {
  /** Judges all evidence. To be called every `TICK_MS` while `isActive`. @param others the evidence of other processes */
  tick(others: readonly TriedDomain[]): void;
  /** Holds sending because of a failure that only our own network can cause. */
  hold(): void;
  /** Records what was withheld before a time, because an outage is excluded. */
  clear(before: number): void;
  /** Whether there are enough domains to judge by them. */
  knowsEnough(): boolean;
  /** Reports whether a canary reached a server. */
  canary(reached: boolean): void;
  /** The origin for the next canary; null if none answered before. */
  nextCanary(): string | null;
  /** Whether something is withheld, held or resuming. */
  isActive(): boolean;
  isHolding(): boolean;
  /** The domains that were tried within the window. */
  tried(): readonly TriedDomain[];
  withheld(): number;
}

export const TICK_MS = 1_000;
/** Domains that must be reached after a failure before it is certainly not our own. */
const LEAST_REACHED = 3;

export function createGuardCore({ settings, now, hasReferences, ...events }: OutageGuardParts): GuardCore {
  const evidence = createEvidenceStore();
  const baseline = createBaseline(TICK_MS, settings.windowMs);
  const withheld = createWithheld(settings.maxWithheld);
  /** When domains were reached last, oldest first. */
  const reachedAt = new Map<string, number>();
  let state: GuardState = WATCHING;
  let knownElsewhere = 0;
  let resume = () => {};

  const advance = (event: GuardEvent) => {
    const before = state.kind;
    state = nextState(state, event, { now: now(), rampMs: settings.rampMs });
    if (state.kind !== 'holding' && before !== 'watching') resume();
    if (state.kind === before) return;
    evidence.forgetTries();
    const discarded = state.kind === 'holding' ? withheld.discardAll() : 0;
    events.onState?.(state, discarded);
  };
  const known = () => evidence.knownDomains() + knownElsewhere;
  const knowsEnough = () => known() >= settings.minOrigins;
  /** The time before which so many domains were reached afterwards that an outage is excluded. */
  const clearedBefore = (): number => {
    const needed = Math.max(LEAST_REACHED, Math.ceil((1 - settings.unreachedFrom) * known()) + 1);
    return [...reachedAt.values()].at(-needed) ?? Number.NEGATIVE_INFINITY;
  };
  const noteReached = (origin: string) => {
    const domain = registrableDomain(origin);
    reachedAt.delete(domain);
    reachedAt.set(domain, now());
    const [oldest] = reachedAt;
    if (oldest !== undefined && oldest[1] < now() - settings.withholdMs) reachedAt.delete(oldest[0]);
  };
  const isActive = () => state.kind !== 'watching' || withheld.size() > 0;

  return {
    allowance: () => allowanceOf(state, { now: now(), ...settings }),
    onAllowed: (callback) => {
      resume = callback;
    },
    judge(observed, verdicts) {
      const worked = evidence.hasAnswered(observed.origin, now());
      evidence.observe(observed, now());
      if (observed.reach !== 'unreached') {
        noteReached(observed.origin);
        return verdicts.record();
      }
      if (state.kind === 'holding') {
        events.onDiscarded?.();
        return verdicts.discard();
      }
      if (!worked || (!knowsEnough() && !hasReferences)) return verdicts.record();
      withheld.add(verdicts, now());
      events.onActive?.();
    },
    tick(others) {
      knownElsewhere = others.length;
      const own = evidence.tried(now(), settings.windowMs);
      const mean = baseline.mean(now());
      if (state.kind !== 'holding') {
        baseline.add(unreachedShare(own, settings), now());
        const all = mergeDomains([...own, ...others]);
        const isOurs = isOutage(own, mean, settings) || isOutage(all, mean, settings);
        advance({ kind: isOurs ? 'outage' : 'time' });
      }
      withheld.recordBefore(Math.max(now() - settings.withholdMs, clearedBefore()));
    },
    clear: withheld.recordBefore,
    knowsEnough,
    hold: () => advance({ kind: 'outage' }),
    canary: (reached) => advance({ kind: 'canary', reached }),
    nextCanary: () => evidence.nextAnsweredOrigin(),
    isActive,
    isHolding: () => state.kind === 'holding',
    tried: () => evidence.tried(now(), settings.windowMs),
    withheld: withheld.size,
  };
}
