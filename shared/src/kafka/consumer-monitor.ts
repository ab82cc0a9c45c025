import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';

/**
 * Without a heartbeat for this long a consumer is stuck, in milliseconds. Mostly it is the broker that is away: a restart
 * brings no broker back, and processes that are restarted again and again come back later than it.
 */
const STUCK_MS = 5 * 60_000;
/** A member may be late by a session without anything being wrong with it. */
const STUCK_SESSIONS = 2;

export interface ConsumerMonitor {
  /** May it still come back by itself? When not, its process should be restarted. */
  alive(): boolean;
  /** Has the group not heard of this member for a whole session? */
  isCutOff(): boolean;
  /** Milliseconds since the last heartbeat, or since the start before the first one. */
  heartbeatAgeMs(): number;
  hasJoined(): boolean;
  /** Resolves when the consumer is in its group for the first time. */
  readonly joined: Promise<void>;
}

interface WatchParts {
  /** How long the group waits for a member that died, in milliseconds. */
  readonly sessionTimeoutMs: number;
  readonly log: Log;
  readonly fail: (reason: string, error?: unknown) => void;
}

/** Reports on a consumer. One that stops for good ends the process: nothing else would notice. */
export function createConsumerMonitor(
  consumer: Consumer,
  { sessionTimeoutMs, log, fail }: WatchParts,
): ConsumerMonitor {
  const stuckMs = Math.max(STUCK_MS, STUCK_SESSIONS * sessionTimeoutMs);
  let lastHeartbeat = performance.now();
  let hasJoined = false;
  const joined = Promise.withResolvers<void>();
  const seen = () => {
    lastHeartbeat = performance.now();
  };
  consumer.on(consumer.events.HEARTBEAT, seen);
  consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
    seen();
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
    else fail('a consumer stopped and cannot go on', payload.error);
  });
  const heartbeatAgeMs = () => performance.now() - lastHeartbeat;
  return {
    alive: () => heartbeatAgeMs() < stuckMs,
    isCutOff: () => heartbeatAgeMs() >= sessionTimeoutMs,
    heartbeatAgeMs,
    hasJoined: () => hasJoined,
    joined: joined.promise,
  };
}

/** What a consumer lacks to do its work; empty when it can. */
export function readinessProblems(
  name: string,
  { hasJoined, isCutOff }: Pick<ConsumerMonitor, 'hasJoined' | 'isCutOff'>,
): readonly string[] {
  if (!hasJoined()) return [`the ${name} has not joined its group`];
  return isCutOff() ? [`the ${name} has had no heartbeat for a session`] : [];
}
