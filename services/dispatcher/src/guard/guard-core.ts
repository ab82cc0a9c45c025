import type { DomainEvidence, GuardRecord } from '@postrider/shared/ports/outage-guard';
import type { ObservationActions, SendingGuard } from '../ports/guard.js';
import { createBaseline } from './baseline.js';
import { createEvidenceStore } from './evidence.js';
import {
  allowanceOf,
  type GuardEvent,
  type GuardState,
  type HoldRule,
  nextState,
  WATCHING,
} from './guard-state.js';
import {
  countFairly,
  hasEnough,
  isOutage,
  mergeDomains,
  noOutageBefore,
  type OutageRule,
  unreachedShare,
} from './judge-outage.js';
import { createReferences } from './references.js';
import { createWithheld, type WithheldLimits } from './withheld.js';

/** Times are in milliseconds. */
export interface GuardSettings extends OutageRule, HoldRule, WithheldLimits {
  /** The time in which domains must have been tried. */
  readonly windowMs: number;
  /** The time before the window in which few domains must have been unreached. */
  readonly baselineSpanMs: number;
  /** How long an answer shows that an origin normally works. */
  readonly answerAgeMs: number;
  /**
   * The time whose evidence shows whether an outage caused observations that can no longer be withheld: domains reached
   * before an outage that has just begun hide it for the rest of the window.
   */
  readonly latestMs: number;
  /** How long an observation may be withheld. */
  readonly withholdMs: number;
  readonly maxInFlight: number;
}

interface GuardCoreParts {
  readonly settings: GuardSettings;
  readonly monotonicMs: () => number;
  /** Origins whose failure shows an outage when there are too few domains. */
  readonly references: readonly string[];
  /** Called when an observation is withheld, or sending is held: `tick` must be called from now on. */
  readonly onActive: () => void;
  readonly onState: (state: GuardState, discarded: number) => void;
  readonly onDiscarded: () => void;
}

/** The guard without timers, probes and storage. */
export interface GuardCore extends Omit<SendingGuard, 'decideNow' | 'refresh'> {
  /** Judges all evidence. To be called every `TICK_MS` while `isActive`. @param others the evidence of other processes */
  tick(others: readonly DomainEvidence[]): void;
  /** Judges all evidence, and the withheld observations of some endpoints by the latest of it: there will be no more. */
  decideNow(matches: (endpointId: string) => boolean, others: readonly DomainEvidence[]): void;
  /** Whether the references have to be tried: without them withheld failures cannot be judged, or none was reached last time. */
  needsReferences(): boolean;
  /** Judges withheld observations by whether any reference was reached. @param startedAt when they were tried, by `time` */
  judgeReferences(reached: boolean, startedAt: number): void;
  /** Whether no reference is reached although receivers are. */
  areReferencesBlocked(): boolean;
  /** A clock that stands still while sending is held, because nothing is learnt then. In milliseconds. */
  time(): number;
  /** Whether the records of other processes are needed: something is withheld or held, or too little is known here. */
  needsOthers(): boolean;
  /**
   * Learns from others which origins work if too little is known here. Holds sending if another process does and nothing was
   * reached from here: a process that starts during an outage has no evidence of its own, and one with few domains too little.
   * Canaries end that hold as usual.
   */
  learn(others: readonly GuardRecord[]): void;
  /** Reports whether a canary reached a server. */
  canary(reached: boolean): void;
  /** The origin for the next canary: one that answered before, else a reference; null if there is none. */
  nextCanary(): string | null;
  /** Whether something is withheld, held or resuming. */
  isActive(): boolean;
  isHolding(): boolean;
  /** The record for other processes. */
  record(): GuardRecord;
  withheld(): number;
}

export const TICK_MS = 1_000;

export function createGuardCore({ settings, monotonicMs, ...parts }: GuardCoreParts): GuardCore {
  const evidence = createEvidenceStore(settings.answerAgeMs);
  const baseline = createBaseline({
    everyMs: TICK_MS,
    windowMs: settings.windowMs,
    spanMs: settings.baselineSpanMs,
  });
  const withheld = createWithheld(settings);
  const references = createReferences(parts.references);
  let state: GuardState = WATCHING;
  let heldMs = 0;
  let knownElsewhere = 0;
  /** Whether the domains tried within the window sufficed for a verdict at the last tick. */
  let canJudge = false;
  /** When the last POST that reached a server began, or canaries ended a hold; -Infinity if nothing was reached. */
  let reachedAt = Number.NEGATIVE_INFINITY;
  /** When another process was first found to hold sending; null if none does. */
  let heldElsewhereSince: number | null = null;
  /** When sending resumed last, by the clock that does not stand still. */
  let resumedAt = Number.NEGATIVE_INFINITY;
  let resume = () => {};

  const time = () => (state.kind === 'holding' ? state.since : monotonicMs()) - heldMs;
  const advance = (event: GuardEvent) => {
    const before = state;
    state = nextState(state, event, { now: monotonicMs(), ...settings });
    if (before.kind === 'holding' && state.kind !== 'holding') {
      resumedAt = monotonicMs();
      heldMs += resumedAt - before.since;
    }
    if (state.kind !== 'holding' && before.kind !== 'watching') resume();
    if (state.kind === before.kind) return;
    evidence.forgetTries();
    const discarded = state.kind === 'holding' ? withheld.discardAll() : 0;
    parts.onState(state, discarded);
    if (state.kind === 'holding') parts.onActive();
  };
  const knowsEnough = () => evidence.knownDomains(time()) + knownElsewhere >= settings.minOrigins;
  const tried = (withinMs = settings.windowMs) => evidence.tried(time(), withinMs);
  const isActive = () => state.kind !== 'watching' || withheld.size() > 0;
  /** Whether another process holds sending and nothing shows that servers are reached from here. */
  const isHeldElsewhere = () => heldElsewhereSince !== null && reachedAt < heldElsewhereSince;
  /** A POST that began before sending resumed may have failed because of the outage. */
  const endedByOutage = (durationMs: number) =>
    state.kind === 'holding' || monotonicMs() - durationMs < resumedAt;
  const mayWithhold = () => settings.maxWithheld > 0 && (references.areTrusted(reachedAt) || knowsEnough());
  /** Holds sending if there is an outage. @param own the evidence of this process */
  const judgeAll = (own: readonly DomainEvidence[], others: readonly DomainEvidence[]) => {
    const mean = baseline.mean(time());
    const all = mergeDomains([...own, ...others]);
    knownElsewhere = others.length;
    canJudge = hasEnough(countFairly(all, settings), settings);
    const isOurs = isOutage(own, mean, settings) || isOutage(all, mean, settings);
    advance({ kind: isOurs ? 'outage' : 'time' });
  };
  const discard = (actions: ObservationActions) => {
    parts.onDiscarded();
    actions.discard();
  };

  return {
    allowance: () => allowanceOf(state, { now: monotonicMs(), ...settings }),
    onAllowed: (callback) => {
      resume = callback;
    },
    recordOrDiscard(observed, actions) {
      const { endpointId, reach, durationMs } = observed;
      evidence.observe(observed, time());
      if (reach === 'answered' || reach === 'silent') {
        reachedAt = Math.max(reachedAt, time() - durationMs);
        withheld.reached(endpointId);
      }
      if (reach === 'answered') {
        // Failures that ended before an answer are stored before it: after a success they would count in the streak it began.
        for (const earlier of withheld.takeOf(endpointId)) earlier.record();
        return actions.record();
      }
      if (endedByOutage(durationMs)) return discard(actions);
      if (reach === 'silent' || !mayWithhold()) return actions.record();
      if (!withheld.keep(observed, actions, time())) return discard(actions);
      parts.onActive();
    },
    waitMs: (endpointId) => withheld.waitMs(endpointId, time()),
    tick(others) {
      if (state.kind === 'holding') return advance({ kind: 'time' });
      const own = tried();
      baseline.add(unreachedShare(own, settings), time());
      judgeAll(own, others);
      withheld.recordBefore(Math.max(time() - settings.withholdMs, noOutageBefore(own, settings)));
    },
    decideNow(matches, others) {
      if (withheld.size() === 0) return;
      judgeAll(tried(), others);
      const isOurs = isHeldElsewhere() || isOutage(tried(settings.latestMs), baseline.mean(time()), settings);
      for (const actions of withheld.take(matches)) {
        if (isOurs) discard(actions);
        else actions.record();
      }
    },
    needsReferences: () => references.areUnreached() || (withheld.size() > 0 && !canJudge),
    judgeReferences(reached, startedAt) {
      references.tried(reached, startedAt);
      if (canJudge || withheld.size() === 0) return;
      if (reached) withheld.recordBefore(startedAt);
      else if (references.areTrusted(reachedAt)) advance({ kind: 'references' });
    },
    areReferencesBlocked: () => references.areUnreached() && !references.areTrusted(reachedAt),
    time,
    needsOthers: () => isActive() || !knowsEnough(),
    learn(others) {
      const origins = knowsEnough() ? [] : others.flatMap((one) => one.origins);
      for (const origin of origins) evidence.assume(origin, time());
      // When a hold is found, it is not known yet whether servers are still reached from here: the next records show it.
      const isFailing = heldElsewhereSince !== null && withheld.size() > 0;
      heldElsewhereSince = others.some(({ holding }) => holding) ? (heldElsewhereSince ?? time()) : null;
      const mayJoin = isFailing || !Number.isFinite(reachedAt);
      const canTry = evidence.knownDomains(time()) > 0;
      if (isHeldElsewhere() && mayJoin && canTry) advance({ kind: 'outage' });
    },
    canary(reached) {
      advance({ kind: 'canary', reached });
      if (reached && state.kind !== 'holding') reachedAt = time();
    },
    nextCanary: () => evidence.nextAnsweredOrigin(time()) ?? references.next(),
    isActive,
    isHolding: () => state.kind === 'holding',
    record: () => ({
      holding: state.kind === 'holding',
      domains: tried().map(({ domain, workspaceId, unreached }) => ({ domain, workspaceId, unreached })),
      origins: evidence.answeredOrigins(),
    }),
    withheld: withheld.size,
  };
}
