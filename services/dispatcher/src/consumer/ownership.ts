import { REBALANCE_TIMEOUT_MS } from '@postrider/shared/kafka/consumer-settings';
import type { Clock } from '@postrider/shared/ports/clock';

/** How long this member certainly owns its partitions. */
export interface Ownership {
  /** By the database's clock; null if they may be another member's. */
  until(): Date | null;
  /** Whether there was no heartbeat for a session, so that other members own its partitions. */
  isCutOff(): boolean;
  joined(): void;
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

/** Heartbeats come several times in this share of a session, and of the time that a rebalance waits for a member. */
const CERTAIN_SHARE = 1 / 3;

/**
 * The group gives the partitions of a member to others after a session without a heartbeat, or in a rebalance, which waits
 * for a member for a while and of which the member learns by its next heartbeat. The broker received a heartbeat after the response to the previous one, because they
 * follow each other: the certain time is counted from there.
 */
export function createOwnership({ clock, sessionTimeoutMs, monotonicMs }: OwnershipParts): Ownership {
  const certainMs = Math.min(sessionTimeoutMs, REBALANCE_TIMEOUT_MS) * CERTAIN_SHARE;
  let previous: number | null = null;
  let until: number | null = null;
  let heardAt: number | null = null;
  const now = () => clock.now().getTime();
  return {
    until: () => (until === null || until <= now() ? null : new Date(until)),
    isCutOff: () => heardAt !== null && monotonicMs() - heardAt >= sessionTimeoutMs,
    joined() {
      heardAt = monotonicMs();
      previous = now();
      until = null;
    },
    heartbeat() {
      heardAt = monotonicMs();
      if (previous === null) return;
      until = previous + certainMs;
      previous = now();
    },
    ends() {
      previous = null;
      until = null;
    },
  };
}
