import type { ConsumerConfig } from 'kafkajs';

/**
 * A member notices a rebalance at its next heartbeat, and consumption stops until all members have. So deliveries are
 * delayed by this much whenever a process joins or leaves.
 */
const LONGEST_HEARTBEAT_MS = 500;
/** While a consumer is idle, nothing is consumed that a rebalance could delay; a message ends the wait at once. */
const IDLE_HEARTBEAT_MS = 1_000;
/** How long a rebalance waits for a member to join again, in milliseconds. */
export const REBALANCE_TIMEOUT_MS = 15_000;
/** A consumer without messages for this long, in milliseconds, is idle. */
const IDLE_AFTER_MS = 10_000;

/**
 * How long a fetch without messages waits, in milliseconds. A heartbeat follows it, so an idle consumer sends half as many
 * requests, which are most of what an idle process does.
 *
 * @param quietMs how long ago the consumer last read a message
 */
export function fetchWaitMs(sessionTimeout: number, quietMs: number): number {
  const longest = quietMs < IDLE_AFTER_MS ? LONGEST_HEARTBEAT_MS : IDLE_HEARTBEAT_MS;
  return Math.min(longest, Math.floor(sessionTimeout / 3));
}

/**
 * The settings of all consumers.
 *
 * @param sessionTimeout how long the group waits for a member that died, in milliseconds
 */
export function consumerSettings(sessionTimeout: number) {
  const heartbeatInterval = fetchWaitMs(sessionTimeout, 0);
  return {
    sessionTimeout,
    heartbeatInterval,
    rebalanceTimeout: REBALANCE_TIMEOUT_MS,
    maxBytesPerPartition: 256 * 1024,
    // A fetch ends as soon as there is a message. Without one it waits until the next heartbeat, which follows a fetch.
    maxWaitTimeInMs: heartbeatInterval,
    minBytes: 1,
    allowAutoTopicCreation: false,
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 5_000,
      retries: Number.MAX_SAFE_INTEGER,
      restartOnFailure: async () => true,
    },
  } satisfies Omit<ConsumerConfig, 'groupId'>;
}
