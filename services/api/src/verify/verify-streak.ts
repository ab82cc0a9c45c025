import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import type { AttemptFields } from '@postrider/shared/domain/delivery';
import { FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import type { Difference, DifferenceKind } from './difference.js';
import { createStreakChain, type StreakEnd } from './streak-chain.js';

/** Compares one endpoint's streak, as it was first read, with the attempts and audit events that changed it, in any order. */
export interface StreakCheck {
  /** Adds an attempt that changed the streak; others are ignored. */
  attempt(attempt: AttemptFields): readonly Difference[];
  /** Adds an audit event that changed the streak; others are ignored. */
  audit(entry: AuditEvent): readonly Difference[];
  /** Whether the streak changed after its endpoint was read. Such changes are left to the next run. */
  hasNewer(): boolean;
  /**
   * @param completeSince changes since then must have been added
   * @param storedVersion the version of the streak when its endpoint was read again; undefined if it was not
   */
  finish(completeSince: Date, storedVersion: number | undefined): readonly Difference[];
}

/** The audit entry of an automatic disabling. */
interface Disabling {
  readonly id: string;
  readonly at: Date;
  hasAttempt: boolean;
}

/** Its state is small, because there may be many endpoints. */
export function createStreakCheck(endpointId: string, end: StreakEnd): StreakCheck {
  const chain = createStreakChain();
  const disablings = new Map<number, Disabling>();
  let newest = 0;

  const differenceOf = (kind: DifferenceKind, what: string): Difference => ({ kind, id: endpointId, what });
  const addToChain = (link: Parameters<typeof chain.add>[0], cause: string): readonly Difference[] => {
    const problem = chain.add(link);
    return problem === null ? [] : [differenceOf('streak', `${problem} (${cause})`)];
  };
  const matchDisabling = (version: number, deliveryId: string): readonly Difference[] => {
    const entry = disablings.get(version);
    if (entry === undefined)
      return [differenceOf('disabling', `${deliveryId} disabled it without an audit entry`)];
    entry.hasAttempt = true;
    return [];
  };
  const addDisabling = (version: number, id: string, at: Date): readonly Difference[] => {
    const known = disablings.get(version);
    if (known !== undefined)
      return [differenceOf('disabling', `${known.id} and ${id} record the same disabling`)];
    disablings.set(version, { id, at, hasAttempt: false });
    return [];
  };

  return {
    attempt({ deliveryId, streak, attemptedAt }) {
      if (streak === null) return [];
      newest = Math.max(newest, streak.version);
      if (streak.version > end.streakVersion) return [];
      const inChain = addToChain({ ...streak, at: attemptedAt }, deliveryId);
      const disables = streak.after === FAILURES_THAT_DISABLE;
      return disables ? [...inChain, ...matchDisabling(streak.version, deliveryId)] : inChain;
    },
    audit({ id, action, actor, streak, createdAt }) {
      if (streak === null) return [];
      newest = Math.max(newest, streak.version);
      if (action === 'webhook_endpoint.disabled' && actor.type === 'system')
        return addDisabling(streak.version, id, createdAt);
      return streak.version > end.streakVersion ? [] : addToChain({ ...streak, at: createdAt }, id);
    },
    hasNewer: () => newest > end.streakVersion,
    finish(completeSince, storedVersion = newest) {
      const isUnmatched = ([version, { at, hasAttempt }]: [number, Disabling]) =>
        !hasAttempt && at >= completeSince && version <= end.streakVersion;
      const unmatched = [...disablings].filter(isUnmatched);
      return [
        ...chain.finish(end, completeSince).map((what) => differenceOf('streak', what)),
        ...unmatched.map(([, { id }]) =>
          differenceOf('disabling', `audit event ${id} records a disabling that no attempt caused`),
        ),
        ...(storedVersion < newest
          ? [differenceOf('streak', `version ${newest} was reached, but version ${storedVersion} is stored`)]
          : []),
      ];
    },
  };
}
