import type { ConsumerConfig } from 'kafkajs';

const LONGEST_HEARTBEAT_MS = 3_000;

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
