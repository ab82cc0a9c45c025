import { REBALANCE_TIMEOUT_MS } from '@postrider/shared/kafka/consumer-settings';
import type { Clock } from '@postrider/shared/ports/clock';

/** How long this member certainly owns its partitions. */
export interface Ownership {
  /** By the database's clock; null if another member may own them. */
  until(): Date | null;
  /** Whether other members may own its partitions, because the broker has had no heartbeat for long enough to give them away. */
  isCutOff(): boolean;
  /** The time until it can be cut off, in milliseconds. */
  cutOffInMs(): number;
  /** @param tookMs how long ago the member asked to join, in milliseconds */
  joined(tookMs: number): void;
  heartbeat(): void;
  /** The partitions may go to other members from now on, until the next join. */
  ends(): void;
}

interface OwnershipParts {
  readonly clock: Clock;
  readonly sessionTimeoutMs: number;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
}

/** Ownership is certain for this fraction of the time after which partitions are given away: several heartbeats fall into it. */
const CERTAIN_SHARE = 1 / 3;

/**
 * The group gives the partitions of a member to others after a session without a heartbeat, or earlier in a rebalance: it waits
 * for a member for a limited time, and the member learns of it by its next heartbeat. Both times are counted from the response
 * to the last heartbeat but one. The broker certainly received the last one after that, because they follow each other; its
 * response may have waited in the socket while the process was frozen. So may the response to a join: until the first heartbeat
 * after it, they are counted from the request.
 */
export function createOwnership({ clock, sessionTimeoutMs, monotonicMs }: OwnershipParts): Ownership {
  const givenAwayMs = Math.min(sessionTimeoutMs, REBALANCE_TIMEOUT_MS);
  const certainMs = givenAwayMs * CERTAIN_SHARE;
  let previous: number | null = null;
  let until: number | null = null;
  /** Monotonic times: of the response to the last heartbeat, and of the one before, after which the broker received the last. */
  let respondedAt: number | null = null;
  let heardAt: number | null = null;
  const clockMs = () => clock.now().getTime();
  const cutOffInMs = () =>
    heardAt === null ? Number.POSITIVE_INFINITY : heardAt + givenAwayMs - monotonicMs();
  /** Where the database's clock steps back, it may reach the same time twice. */
  const isPast = (time: number) =>
    time <= clockMs() || (heardAt !== null && heardAt + certainMs <= monotonicMs());
  return {
    until: () => (until === null || isPast(until) ? null : new Date(until)),
    isCutOff: () => cutOffInMs() <= 0,
    cutOffInMs,
    joined(tookMs) {
      const sinceRequestMs = Math.max(0, tookMs);
      respondedAt = monotonicMs();
      heardAt = respondedAt - sinceRequestMs;
      previous = clockMs();
      until = previous - sinceRequestMs + certainMs;
    },
    heartbeat() {
      heardAt = respondedAt;
      respondedAt = monotonicMs();
      if (previous === null) return;
      until = previous + certainMs;
      previous = clockMs();
    },
    ends() {
      previous = null;
      until = null;
    },
  };
}
