import type { Log } from '@postrider/shared/ports/log';
import type { DomainEvidence, GuardRecords } from '@postrider/shared/ports/outage-guard';
import { NO_GUARD, type SendingGuard } from '../ports/guard.js';
import { createGuardCore, type GuardCore, type GuardSettings, TICK_MS } from './guard-core.js';
import type { GuardState } from './guard-state.js';

interface OutageGuardOptions {
  /** Null switches the guard off. */
  readonly settings: GuardSettings | null;
  readonly canaryEveryMs: number;
  /** `host:port`. Their failure shows an outage when there are too few domains to judge. */
  readonly references: readonly string[];
  readonly records: GuardRecords;
  /** Whether a server of the origin can be connected to. */
  readonly reaches: (origin: string) => Promise<boolean>;
  readonly monotonicMs: () => number;
  readonly log: Log;
}

export interface StartedGuard extends SendingGuard {
  isHolding(): boolean;
  withheld(): number;
  /** How often sending was held. */
  trips(): number;
  /** Observations that were discarded. */
  discarded(): number;
  stop(): void;
}

/** How often evidence is shared, in milliseconds: more often while something is wrong. */
const SHARE_MS = 5_000;
const SHARE_ACTIVE_MS = 2_000;

/** Starts the guard. It reads others' evidence, and has no timer while nothing is withheld or held and references are reached. */
export function startOutageGuard(options: OutageGuardOptions): StartedGuard {
  const { settings, monotonicMs } = options;
  if (settings === null)
    return {
      ...NO_GUARD,
      isHolding: () => false,
      withheld: () => 0,
      trips: () => 0,
      discarded: () => 0,
      stop: () => {},
    };
  const totals = { trips: 0, discarded: 0 };
  let timers: NodeJS.Timeout[] = [];
  let isStopped = false;
  const core: GuardCore = createGuardCore({
    settings,
    monotonicMs,
    references: options.references.map((reference) => `http://${reference}`),
    onActive: () => start(),
    onDiscarded: () => {
      totals.discarded += 1;
    },
    onState: (state, discarded) => {
      totals.discarded += discarded;
      if (state.kind === 'holding') totals.trips += 1;
      report(options.log, state, discarded);
      void share.shareNow();
    },
  });
  const share = createSharing(core, options);
  const canary = () => {
    const origin = core.isHolding() ? core.nextCanary() : null;
    if (origin !== null) void options.reaches(origin).then(core.canary);
  };
  const stopTimers = () => {
    for (const timer of timers) clearInterval(timer);
    timers = [];
  };
  const probeReferences = createReferenceProbe(core, options);
  const tick = () => {
    core.tick(share.others());
    probeReferences();
    share.ifDue(SHARE_ACTIVE_MS);
    if (!core.isActive() && !core.needsReferences()) stopTimers();
  };
  const start = () => {
    if (timers.length > 0 || isStopped) return;
    timers = [setInterval(tick, TICK_MS), setInterval(canary, options.canaryEveryMs)];
  };
  void share.shareNow();
  return {
    allowance: core.allowance,
    onAllowed: core.onAllowed,
    recordOrDiscard(evidence, actions) {
      core.recordOrDiscard(evidence, actions);
      share.ifDue(SHARE_MS);
    },
    refresh: async () => {
      if (core.withheld() > 0) await share.shareNow();
    },
    decideNow: (matches) => core.decideNow(matches, share.others()),
    waitMs: core.waitMs,
    isHolding: core.isHolding,
    withheld: core.withheld,
    trips: () => totals.trips,
    discarded: () => totals.discarded,
    stop() {
      isStopped = true;
      stopTimers();
    },
  };
}

/** Tries the references while they are needed. */
function createReferenceProbe(core: GuardCore, { references, reaches, log }: OutageGuardOptions) {
  let isProbing = false;
  let wereBlocked = false;
  const probe = async () => {
    const startedAt = core.time();
    const reached = await Promise.all(references.map((reference) => reaches(`http://${reference}`)));
    core.judgeReferences(reached.includes(true), startedAt);
    const areBlocked = core.areReferencesBlocked();
    if (areBlocked && !wereBlocked)
      log.warn(
        { event: 'outage_guard.references_blocked' },
        'receivers can be reached, but none of OUTAGE_GUARD_REFERENCES: these are ignored until one can be reached',
      );
    wereBlocked = areBlocked;
  };
  return () => {
    if (references.length === 0 || isProbing || !core.needsReferences()) return;
    isProbing = true;
    void probe().finally(() => {
      isProbing = false;
    });
  };
}

/** Shares the evidence of this process with the others. While the database is away, each judges for itself. */
function createSharing(core: GuardCore, { records, monotonicMs, log }: OutageGuardOptions) {
  let sharedAt = Number.NEGATIVE_INFINITY;
  let others: readonly DomainEvidence[] = [];
  const shareNow = () => {
    sharedAt = monotonicMs();
    const exchange = async () => {
      await records.publish(core.record());
      const found = core.needsOthers() ? await records.others() : [];
      core.learn(found);
      others = core.isActive() ? found.flatMap(({ domains }) => domains) : [];
    };
    return exchange().catch((err: unknown) =>
      log.debug({ event: 'outage_guard.unshared', err }, 'the evidence of this process could not be shared'),
    );
  };
  return {
    shareNow,
    ifDue: (everyMs: number) => {
      if (monotonicMs() - sharedAt >= everyMs) void shareNow();
    },
    others: () => others,
  };
}

function report(log: Log, state: GuardState, discarded: number): void {
  if (state.kind === 'holding') {
    const cause = Number.isFinite(state.until)
      ? 'a receiver was unreachable and so were all references'
      : 'most receivers became unreachable at once';
    log.error(
      { event: 'outage_guard.holding', discarded },
      `${cause}: sending is held, and their failures are not counted; ` +
        'check name servers, routes, proxy and firewall of this process',
    );
  } else if (state.kind === 'resuming') {
    log.warn({ event: 'outage_guard.resuming' }, 'sending resumes');
  } else {
    log.info({ event: 'outage_guard.watching' }, 'sending has resumed');
  }
}
