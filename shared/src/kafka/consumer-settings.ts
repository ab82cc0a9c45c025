import type { ConsumerConfig } from 'kafkajs';

/**
 * A member learns of a rebalance by its next heartbeat, and those that have learnt of it stand still until all have:
 * whenever a process comes or goes, deliveries wait that long.
 */
const LONGEST_HEARTBEAT_MS = 500;

/**
 * What all our consumers have in common.
 *
 * @param sessionTimeout how long the group waits for a member that died, in milliseconds
 */
export function consumerSettings(sessionTimeout: number) {
  return {
    sessionTimeout,
    heartbeatInterval: Math.min(LONGEST_HEARTBEAT_MS, Math.floor(sessionTimeout / 3)),
    rebalanceTimeout: 15_000,
    maxBytesPerPartition: 256 * 1024,
    // A paused partition is resumed no later than this.
    maxWaitTimeInMs: 200,
    allowAutoTopicCreation: false,
    retry: {
      initialRetryTime: 100,
      maxRetryTime: 5_000,
      retries: Number.MAX_SAFE_INTEGER,
      restartOnFailure: async () => true,
    },
  } satisfies Omit<ConsumerConfig, 'groupId'>;
}
