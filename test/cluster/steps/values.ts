import { databaseOf, type Trial } from '../trial.js';

/**
 * The receiver is on a private address, and the load exceeds what one token may usually do. Retries are early, so that those of one
 * process are made by others.
 */
export const trialSettings = ({ cluster }: Pick<Trial, 'cluster'>) => ({
  ALLOW_HTTP_WEBHOOKS: 'true',
  EGRESS_ALLOW_CIDRS: `${cluster.host}/32`,
  RATE_LIMIT_PUBLISH: '0',
  RATE_LIMIT_REST_WRITE: '0',
  LOG_SAMPLE_DELIVERED: '0.01',
  RETRY_STEP: '1s',
});

/** A cluster may have its servers anywhere, outside it too. */
export const ANYWHERE = [{ ipBlock: { cidr: '0.0.0.0/0' } }];

const SMALL = { requests: { cpu: '10m', memory: '64Mi' }, limits: { memory: '512Mi' } };

/** Values for an installation with topics and a database of its own. Two pods of each, so that every stop has another to go to. */
export function valuesFor(trial: Trial, name: string) {
  const { servers, image } = trial;
  return {
    image: { repository: image.repository, tag: image.tag },
    kafka: { brokers: servers.kafkaBrokers.join(',') },
    schemaRegistry: { url: servers.schemaRegistryUrl },
    topics: { prefix: `${name}.`, partitions: 6, replicationFactor: 1 },
    secrets: {
      create: {
        MONGODB_URI: databaseOf(trial, name),
        ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
      },
    },
    config: trialSettings(trial),
    api: { replicas: 2, resources: SMALL },
    dispatcher: { replicas: 2, resources: SMALL },
    dlqConsumer: { replicas: 1, resources: SMALL },
  };
}
