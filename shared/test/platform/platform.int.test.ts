import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import { NEWEST_LEVEL } from '../../src/domain/feature-level.js';
import { appNameOf } from '../../src/mongo/app-name.js';
import { SCHEMA_VERSION } from '../../src/mongo/migrate.js';
import { appendToOutbox } from '../../src/mongo/outbox-store.js';
import { inTransaction } from '../../src/mongo/transaction.js';
import { deliveryRecord, eventRecord, notificationRecord } from '../../src/outbox/record.js';
import { migrate } from '../../src/platform/migrate.js';
import { connectPlatform, type Platform } from '../../src/platform/platform.js';
import { PLATFORM, type PlatformConfig } from '../../src/platform/platform-config.js';
import type { OutboxRecord } from '../../src/ports/outbox.js';
import { DELIVERIES_TOPIC, EVENTS_TOPIC, NOTIFICATIONS_TOPIC } from '../../src/ports/topics.js';
import { readConfig } from '../../src/runtime/config.js';
import { aDelivery, TRACE_ID } from '../../src/testing/builders.js';
import { eventually } from '../../src/testing/eventually.js';
import { type TestWorld, testWorld } from '../../src/testing/test-world.js';
import { topicReader } from '../../src/testing/topic-reader.js';
import { aNotification } from '../../src/testing/workspace-builders.js';
import { anEvent } from '../event-builders.js';

describe('platform', () => {
  let world: TestWorld;
  let config: PlatformConfig;
  const opened: Platform[] = [];

  before(async () => {
    world = await testWorld();
    config = readConfig(world.env, PLATFORM);
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((platform) => platform.close()));
  });
  after(() => world?.destroy());

  async function connect(overrides: Partial<PlatformConfig> = {}): Promise<Platform> {
    const platform = await connectPlatform({ ...config, ...overrides }, 'test', world.log);
    opened.push(platform);
    return platform;
  }
  const failure = (attempt: Promise<unknown>) =>
    attempt.catch(({ name, message }: Error) => ({ name, message }));
  /** Commits outbox records and offers them to the relay, as every writer does. */
  async function commit(
    { database, relay, clock }: Platform,
    records: readonly OutboxRecord[],
    claimMs = config.OUTBOX_CLAIM,
  ) {
    const claimedUntil = new Date(clock.now().getTime() + claimMs);
    await inTransaction(database.client, (session) =>
      appendToOutbox(database.collections, records, { claimedUntil, session }),
    );
    relay.offer(records);
  }
  const connectionsOf = async (appName: string) => {
    const admin = world.database.client.db('admin');
    const all = { $currentOp: { allUsers: true, idleConnections: true } };
    return (await admin.aggregate([all, { $match: { appName } }]).toArray()).length;
  };
  const promised = () => world.database.collections.outbox.countDocuments();

  it('publishes outbox records: decodable events and notifications, and plain queue messages', async () => {
    const [events, notifications, deliveries] = await Promise.all([
      topicReader(world, EVENTS_TOPIC),
      topicReader(world, NOTIFICATIONS_TOPIC),
      topicReader(world, DELIVERIES_TOPIC),
    ]);
    const platform = await connect();
    const event = eventRecord(anEvent('workspace_member.added'), TRACE_ID);
    const notification = notificationRecord(aNotification(), TRACE_ID);
    const delivery = deliveryRecord(aDelivery());
    await commit(platform, [event, notification, delivery]);
    for (const [{ records }, record] of [
      [events, event],
      [notifications, notification],
    ] as const) {
      const [message] = await eventually(() => {
        expect(records).to.have.length(1);
        return records;
      });
      expect(message?.headers).to.deep.equal(record.headers);
      expect(`${message?.key}`).to.equal(record.key);
      expect(await platform.codec.decode(message!.value)).to.deep.equal(record.value);
    }
    await eventually(() =>
      expect(JSON.parse(`${deliveries.records[0]?.value}`)).to.deep.equal(delivery.value),
    );
    await eventually(async () => expect(await promised()).to.equal(0));
    await Promise.all([events, notifications, deliveries].map((reader) => reader.stop()));
  });

  it('sets aside records that can never be published and publishes the others', async () => {
    const platform = await connect({ OUTBOX_CLAIM: 0, OUTBOX_SWEEP_INTERVAL: 5 });
    const [good, bad] = [anEvent('api_token.revoked'), anEvent('api_token.created')].map((event) =>
      eventRecord(event, TRACE_ID),
    ) as [OutboxRecord, OutboxRecord];
    const unlikeItsSchema = { ...bad, value: { ...bad.value, scopes: 'all' } };
    await commit(platform, [unlikeItsSchema, good], 0);
    const [aside] = await eventually(async () => {
      const left = await world.database.collections.outbox.find().toArray();
      expect(left.map(({ failures }) => failures)).to.deep.equal([10]);
      return left;
    });
    expect(aside?.lastFailure).to.equal(
      'workspace.events-api_token.created: [["/scopes"]] does not match the schema',
    );
    await world.database.collections.outbox.deleteMany({});
  });

  it('publishes records in memory before it closes', async () => {
    const platform = await connect();
    await commit(platform, [deliveryRecord(aDelivery())]);
    await platform.close();
    opened.length = 0;
    expect(await promised()).to.equal(0);
  });

  it('provides the partitions of the delivery topics and the clock', async () => {
    const { partitions, clock } = await connect();
    expect(partitions).to.equal(2);
    expect(clock.now().getTime()).to.be.closeTo(Date.now(), 1_000);
  });

  it('gives up with the reason if the database is not migrated', async () => {
    const uri = new URL(world.env.MONGODB_URI ?? '');
    uri.pathname = `${uri.pathname}_empty`;
    expect(await failure(connect({ MONGODB_URI: uri.href, START_TIMEOUT: 0 }))).to.deep.equal({
      name: 'NotReachable',
      message: `database schema: gave up after 0 s: the database has schema version 0 instead of ${SCHEMA_VERSION}: run "admin migrate"`,
    });
  });

  it('closes all connections if a later dependency is unreachable', async () => {
    const service = `half-way-${config.TOPIC_PREFIX}`;
    const uri = new URL(world.env.MONGODB_URI ?? '');
    uri.pathname = `${uri.pathname}_unmigrated`;
    const noTopics = { TOPIC_PREFIX: `${config.TOPIC_PREFIX}none.` };
    const noSchemas = { SCHEMA_REGISTRY_URL: `${config.SCHEMA_REGISTRY_URL}/elsewhere` };
    const sockets: Socket[] = [];
    // Clients of other tests in this process connect at the same time.
    const inThisTest = new AsyncLocalStorage<true>();
    const collect = (opened: unknown) => {
      if (inThisTest.getStore()) sockets.push((opened as { socket: Socket }).socket);
    };
    subscribe('net.client.socket', collect);
    for (const missing of [{ MONGODB_URI: uri.href }, noTopics, noSchemas]) {
      const attempt = inThisTest.run(true, () =>
        connectPlatform({ ...config, ...missing, START_TIMEOUT: 0 }, service, world.log),
      );
      expect(await failure(attempt)).to.have.property('name', 'NotReachable');
      await eventually(async () => expect(await connectionsOf(appNameOf(service, NEWEST_LEVEL))).to.equal(0));
      // A socket remembers the port of its peer after it is closed.
      const toBroker = (port: number | undefined) => config.KAFKA_BROKERS[0]?.endsWith(`:${port}`);
      const openToBroker = () =>
        sockets.filter(({ destroyed, remotePort }) => !destroyed && toBroker(remotePort)).length;
      expect(sockets).not.to.be.empty;
      await eventually(async () => expect(openToBroker()).to.equal(0));
    }
    unsubscribe('net.client.socket', collect);
  });

  it('gives up with the reason if the registry has no schemas', async () => {
    const registry = `${config.SCHEMA_REGISTRY_URL}/elsewhere`;
    const { name, message } = (await failure(
      connect({ SCHEMA_REGISTRY_URL: registry, START_TIMEOUT: 0 }),
    )) as Error;
    expect(name).to.equal('NotReachable');
    expect(message).to.match(
      /^schema registry: gave up after 0 s: the schema registry at .*\/elsewhere has no/,
    );
  });

  it('is created by concurrent migrations', async () => {
    const empty = {
      ...config,
      TOPIC_PREFIX: `${config.TOPIC_PREFIX}twice.`,
      partitions: 2,
      replicationFactor: 1,
    };
    await Promise.all([1, 2].map(() => migrate(empty, world.log)));
    await migrate(empty, world.log);
    expect(await connect({ TOPIC_PREFIX: empty.TOPIC_PREFIX })).to.have.property('partitions', 2);
  });
});
