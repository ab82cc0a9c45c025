import { str } from '../runtime/config.js';
import { replicationFactor, wholeNumber } from '../runtime/variables.js';

/** The shape of topics that a migration creates. */
export const TOPICS = {
  TOPIC_PARTITIONS: wholeNumber(1)({
    default: 12,
    desc: 'Partitions of created topics; existing topics are not changed',
  }),
  TOPIC_REPLICATION_FACTOR: replicationFactor({
    default: -1,
    desc: "Replication factor of created topics, which get min.insync.replicas=2 from 3 on; -1 is the broker's default for both",
  }),
};

/** The event types that a migration applies. */
export const CATALOGUE = {
  EVENT_CATALOGUE_FILE: str({
    default: undefined,
    desc: 'Catalogue file of custom event types, YAML or JSON, that "admin migrate" applies',
  }),
};
