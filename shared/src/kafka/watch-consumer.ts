import type { Consumer } from 'kafkajs';
import type { Log } from '../ports/log.js';

/** A consumer whose last heartbeat is older than this is not consuming, in milliseconds. */
const HEARTBEAT_PATIENCE_MS = 30_000;

export interface ConsumerWatch {
  /** Was a heartbeat seen lately? */
  alive(): boolean;
  /** Milliseconds since the last heartbeat, or since the start before the first one. */
  heartbeatAgeMs(): number;
  hasJoined(): boolean;
  /** Resolves when the consumer is in its group for the first time. */
  readonly joined: Promise<void>;
}

/** Reports on a consumer. One that stops for good ends the process: nothing else would notice. */
export function watchConsumer(
  consumer: Consumer,
  log: Log,
  fail: (reason: string, error?: unknown) => void,
): ConsumerWatch {
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
    alive: () => heartbeatAgeMs() < HEARTBEAT_PATIENCE_MS,
    heartbeatAgeMs,
    hasJoined: () => hasJoined,
    joined: joined.promise,
  };
}
