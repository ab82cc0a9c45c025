import kafkajs, { type Kafka } from 'kafkajs';
import { EVENTS_TOPIC } from '../ports/topics.js';
import type { TopicNames } from './topic-names.js';

const RETENTION = 'retention.ms';
const SEGMENT = 'segment.ms';

/**
 * How long an event may stay on its topic, in milliseconds: a segment is removed as a whole, once its newest event has expired.
 * Infinity where events do not expire.
 */
export async function eventsKeptMs(kafka: Pick<Kafka, 'admin'>, names: TopicNames): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const { resources } = await admin.describeConfigs({
      includeSynonyms: false,
      resources: [
        {
          type: kafkajs.ConfigResourceTypes.TOPIC,
          name: names.full(EVENTS_TOPIC),
          configNames: [RETENTION, SEGMENT],
        },
      ],
    });
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    const numberOf = (name: string) => {
      const found = entries.find(({ configName }) => configName === name);
      if (found === undefined) throw new Error(`the broker does not report ${name} of ${EVENTS_TOPIC}`);
      return Number(found.configValue);
    };
    const retentionMs = numberOf(RETENTION);
    return retentionMs < 0 ? Number.POSITIVE_INFINITY : retentionMs + numberOf(SEGMENT);
  } finally {
    await admin.disconnect();
  }
}
