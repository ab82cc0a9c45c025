import type { ConsumerConfig } from 'kafkajs';

/** What all our consumers have in common. */
export const CONSUMER_SETTINGS = {
  sessionTimeout: 30_000,
  heartbeatInterval: 3_000,
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
} as const satisfies Omit<ConsumerConfig, 'groupId'>;
