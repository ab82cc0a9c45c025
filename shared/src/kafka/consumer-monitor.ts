import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';

/**
 * A consumer without a heartbeat for this long is stuck, in milliseconds. Usually the broker is unavailable, and restarts
 * would only delay the recovery.
 */
const STUCK_MS = 5 * 60_000;
/** The limit is at least this many sessions: a healthy member may be late by one. */
const STUCK_SESSIONS = 2;

export interface ConsumerMonitor {
  /** Whether it may still recover. If not, its process should be restarted. */
  alive(): boolean;
  /** Whether it has had no heartbeat for a whole session. */
  missedSession(): boolean;
  /** Milliseconds since the last heartbeat, or since the start before the first one. */
  heartbeatAgeMs(): number;
  hasJoined(): boolean;
  /** Resolves when the consumer first joins its group. */
  readonly joined: Promise<void>;
}

interface MonitorParts {
  /** How long the group waits for a member that died, in milliseconds. */
  readonly sessionTimeoutMs: number;
  readonly log: Log;
  readonly fail: (reason: string, error?: unknown) => void;
}

/** Monitors a consumer. Calls `fail` if it stops permanently, which would otherwise go unnoticed. */
export function createConsumerMonitor(
  consumer: Consumer,
  { sessionTimeoutMs, log, fail }: MonitorParts,
): ConsumerMonitor {
  const stuckMs = Math.max(STUCK_MS, STUCK_SESSIONS * sessionTimeoutMs);
  let lastHeartbeat = performance.now();
  let hasJoined = false;
  const joined = Promise.withResolvers<void>();
  const recordHeartbeat = () => {
    lastHeartbeat = performance.now();
  };
  consumer.on(consumer.events.HEARTBEAT, recordHeartbeat);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    recordHeartbeat();
    hasJoined = true;
    joined.resolve();
    const { groupId, memberAssignment } = payload;
    log.info(
      { event: 'consumer.joined', groupId, assignment: memberAssignment },
      'joined the consumer group',
    );
  });
  consumer.on(consumer.events.CRASH, ({ payload }) => {
    if (payload.restart)
      log.warn({ event: 'consumer.restarting', err: payload.error }, 'the consumer restarts');
    else fail('a consumer stopped permanently', payload.error);
  });
  const heartbeatAgeMs = () => performance.now() - lastHeartbeat;
  return {
    alive: () => heartbeatAgeMs() < stuckMs,
    missedSession: () => heartbeatAgeMs() >= sessionTimeoutMs,
    heartbeatAgeMs,
    hasJoined: () => hasJoined,
    joined: joined.promise,
  };
}

/** Why a consumer is not ready; empty if it is. */
export function readinessProblems(
  name: string,
  { hasJoined, missedSession }: Pick<ConsumerMonitor, 'hasJoined' | 'missedSession'>,
): readonly string[] {
  if (!hasJoined()) return [`the ${name} has not joined its group`];
  return missedSession() ? [`the ${name} has had no heartbeat for a session`] : [];
}
