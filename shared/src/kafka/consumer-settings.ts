import type { ConsumerConfig } from 'kafkajs';

/**
 * A member notices a rebalance at its next heartbeat, and consumption stops until all members have. So deliveries are
 * delayed by this much whenever a process joins or leaves.
 */
const LONGEST_HEARTBEAT_MS = 500;

/**
 * The settings of all consumers.
 *
 * @param sessionTimeout how long the group waits for a member that died, in milliseconds
 */
export function consumerSettings(sessionTimeout: number) {
  const heartbeatInterval = Math.min(LONGEST_HEARTBEAT_MS, Math.floor(sessionTimeout / 3));
  return {
    sessionTimeout,
    heartbeatInterval,
    rebalanceTimeout: 15_000,
    maxBytesPerPartition: 256 * 1024,
    // A fetch ends as soon as there is a message. Without one it waits until the next heartbeat, which follows a fetch.
    // Also bounds how late a resumed partition is fetched.
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
