import type { Kafka } from 'kafkajs';
import { type DeliveryOutcome, OUTCOME_KINDS, type OutcomeKind } from '../domain/delivery-outcome.js';
import { OUTCOMES_TOPIC } from '../ports/topics.js';
import { loadOnce } from '../runtime/load-once.js';
import { createOutcomeEncoder } from './outcome-records.js';
import { connectPublisher, type Publisher } from './publisher.js';
import type { SchemaCodec } from './schema-registry.js';
import type { TopicNames } from './topic-names.js';

/** Publishes outcomes over a connection of their own, so that deliveries' messages never wait for them. */
export interface OutcomePublisher {
  publish(outcomes: readonly DeliveryOutcome[]): Promise<void>;
  close(): Promise<void>;
}

interface OutcomePublisherParts {
  readonly kafka: Kafka;
  readonly names: TopicNames;
  readonly codec: Pick<SchemaCodec, 'idOf'>;
}

/** Connects when the first outcomes are published. */
export function createOutcomePublisher({ kafka, names, codec }: OutcomePublisherParts): OutcomePublisher {
  let connected: Publisher | null = null;
  const connect = loadOnce(async () => {
    const publisher = await connectPublisher(kafka, names);
    connected = publisher;
    return publisher;
  });
  const encoder = loadOnce(async () => {
    const idOf = async (kind: OutcomeKind) => [kind, await codec.idOf(`${OUTCOMES_TOPIC}-${kind}`)] as const;
    const ids = await Promise.all(OUTCOME_KINDS.map(idOf));
    return createOutcomeEncoder(Object.fromEntries(ids) as Record<OutcomeKind, number>);
  });
  return {
    async publish(outcomes) {
      const [{ publishEncoded }, encode] = await Promise.all([connect(), encoder()]);
      await publishEncoded(OUTCOMES_TOPIC, encode(outcomes));
    },
    close: async () => connected?.close(),
  };
}
