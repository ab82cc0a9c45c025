import { createKafkaClient } from '@postrider/shared/kafka/connect';
import { connectPartitionReader, type PartitionReader } from '@postrider/shared/kafka/partition-reader';
import { connectPublisher } from '@postrider/shared/kafka/publisher';
import { createTopicNames } from '@postrider/shared/kafka/topic-names';
import { checkTopics, withKafkaAdmin } from '@postrider/shared/kafka/topics';
import { kafkaAccess } from '@postrider/shared/platform/access';
import { KAFKA } from '@postrider/shared/platform/access-config';
import type { Publish } from '@postrider/shared/ports/queue';
import { readConfig } from '@postrider/shared/runtime/config';
import { START } from '@postrider/shared/runtime/process-config';
import { retryUntil } from '@postrider/shared/runtime/retry-until';
import type { Offsets } from './read-offsets.js';
import { logTo, type Terminal } from './terminal.js';

/** A topic to read, and the right to publish. */
export interface TopicContext {
  /** The messages that the topic had when the command began. */
  readonly stored: Offsets;
  readonly reader: Pick<PartitionReader, 'fetch'>;
  readonly publish: Publish;
}

/** Connects to the broker, runs `work` and disconnects. @param topic without prefix */
export async function withTopic<T>(
  { env, terminal }: { readonly env: NodeJS.ProcessEnv; readonly terminal: Terminal },
  topic: string,
  work: (context: TopicContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(env, { ...KAFKA, ...START });
  const log = logTo(terminal);
  const names = createTopicNames(config.TOPIC_PREFIX);
  const options = { ...kafkaAccess(config), service: 'admin', log };
  const wait = retryUntil({ forMs: config.START_TIMEOUT, log });
  const found = await wait('Kafka', () =>
    withKafkaAdmin(options, async (admin) => {
      await checkTopics(admin, names);
      return admin.fetchTopicOffsets(names.full(topic));
    }),
  );
  const stored = new Map(
    found.map(({ partition, low, high }) => [partition, { from: Number(low), until: Number(high) }]),
  );
  const kafka = createKafkaClient(options);
  const publisher = await connectPublisher(kafka, names);
  try {
    const reader = await connectPartitionReader({ kafka, names, topic });
    try {
      return await work({ stored, reader, publish: publisher.publish });
    } finally {
      await reader.close();
    }
  } finally {
    await publisher.close();
  }
}
