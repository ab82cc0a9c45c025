import type { Attempt } from '@postrider/shared/domain/delivery';
import { type Endpoint, newEndpoint } from '@postrider/shared/domain/endpoint';
import { type IdKind, idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import type { SealedSecret } from '@postrider/shared/domain/sealed-secret';
import { formatSecret } from '@postrider/shared/domain/signing';
import { type DomainEvent, domainEvent } from '@postrider/shared/events/domain-event';
import { createOutboxPublisher } from '@postrider/shared/kafka/outbox-publisher';
import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import type { DeliveryDocument } from '@postrider/shared/mongo/collections';
import { toDocument } from '@postrider/shared/mongo/documents';
import { eventRecord } from '@postrider/shared/outbox/record';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { loadOnce } from '@postrider/shared/runtime/load-once';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { type Received, startTestReceiver, type TestReceiver } from '@postrider/shared/testing/receiver';
import { storedAttempts } from '@postrider/shared/testing/stored-attempts';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { type Config, readConfig } from '../src/config.js';
import { startDispatcher } from '../src/service.js';

/** A dispatcher with its servers and a receiver. Endpoints are stored in the database, events are published. */
export interface DispatcherWorld {
  readonly world: TestWorld;
  readonly receiver: TestReceiver;
  readonly publisher: Publisher;
  /** The signing secret of every endpoint. */
  readonly secret: string;
  endpoint(path: string, facts?: Partial<Endpoint>): Promise<string>;
  /** Encrypts for an endpoint, as it is stored. */
  seal(text: string, endpointId: string): SealedSecret;
  disable(endpointId: string): Promise<void>;
  changePlan(occurredAt?: Date): Promise<DomainEvent>;
  posts(path: string): readonly Received[];
  row(endpointId: string): Promise<DeliveryDocument | null>;
  attempts(endpointId: string): Promise<readonly Attempt[]>;
  /** Starts another dispatcher beside the first one. */
  startAnother(): Promise<void>;
  /** Stops the first dispatcher alone, as a SIGTERM does. */
  stopDispatcher(): Promise<void>;
  stop(): Promise<void>;
}

const newId = <Kind extends IdKind>(kind: Kind) => idOf(kind, new Date(), randomTail());

export async function dispatcherWorld(env: Readonly<Record<string, string>> = {}): Promise<DispatcherWorld> {
  const [world, receiver] = await Promise.all([testWorld(), startTestReceiver()]);
  const config = readConfig({ ...world.env, ...env });
  const publisher = await connectPublisher(world.kafka, world.names);
  const codec = createSchemaCodec(config.SCHEMA_REGISTRY_URL, config.TOPIC_PREFIX);
  const publish = createOutboxPublisher(publisher.publish, codec);
  const start = () =>
    startDispatcher(config, world.log, {
      fail(reason) {
        throw new Error(reason);
      },
    });
  const dispatcher = await start();
  const others: (typeof dispatcher)[] = [];
  const stopDispatcher = loadOnce(() => dispatcher.stop());
  const { endpoints, deliveries } = world.database.collections;
  const workspace = { id: newId('workspace'), slug: 'acme' };
  const secret = formatSecret(Buffer.alloc(32, 7));
  return {
    world,
    receiver,
    publisher,
    secret,
    seal: createSecretBox(config.ENCRYPTION_KEYS).seal,
    async endpoint(path, facts = {}) {
      const made = endpointAt(`${receiver.url}/${path}`, { workspaceId: workspace.id, secret, config });
      await endpoints.insertOne(toDocument({ ...made, ...facts } as Endpoint));
      return made.id;
    },
    async disable(_id) {
      await endpoints.updateOne({ _id }, { $set: { enabled: false, disabledReason: 'operator' } });
    },
    async changePlan(occurredAt = new Date()) {
      const own = { previousPlan: 'free', plan: 'team' } as const;
      const event = domainEvent({
        type: 'billing.plan_changed',
        id: newId('event'),
        workspace,
        occurredAt,
        own,
      });
      await publish([eventRecord(event, newTraceId())]);
      return event;
    },
    posts: (path) => receiver.received.filter((post) => post.path === `/${path}`),
    row: (endpointId) => deliveries.findOne({ endpointId }),
    attempts: (endpointId) => storedAttempts(world.database.collections, { endpointId }),
    async startAnother() {
      others.push(await start());
    },
    stopDispatcher,
    async stop() {
      await stopDispatcher();
      for (const other of others) await other.stop();
      await publisher.close();
      await receiver.close();
      await world.destroy();
    },
  };
}

function endpointAt(
  url: string,
  { workspaceId, secret, config }: { workspaceId: WorkspaceId; secret: string; config: Config },
) {
  const id = newId('endpoint');
  return newEndpoint({
    id,
    workspaceId,
    url,
    description: null,
    eventTypes: ['billing.plan_changed'],
    enabled: true,
    secret: createSecretBox(config.ENCRYPTION_KEYS).seal(secret, id),
    createdAt: new Date(),
  });
}
