import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bookkeeping, type Delivery, newDelivery } from '@postrider/shared/domain/delivery';
import { newEndpoint } from '@postrider/shared/domain/endpoint';
import { type EndpointId, type IdKind, idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { toAttemptDocument, toDeliveryDocument, toDocument } from '@postrider/shared/mongo/documents';
import { EVENTS_TOPIC, NOTIFICATIONS_TOPIC } from '@postrider/shared/ports/topics';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import kafkajs from 'kafkajs';

/** The program that the build made of the modules. */
const PROGRAM = fileURLToPath(new URL('../../../../dist/janitor.js', import.meta.url));
const DAY_MS = 24 * 60 * 60 * 1_000;
const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** Noon (UTC) this many days ago. */
const noon = (daysAgo: number) => new Date(midnight - daysAgo * DAY_MS + DAY_MS / 2);

describe('janitor', () => {
  let world: TestWorld;
  beforeEach(async () => {
    world = await testWorld();
  });
  afterEach(() => world?.destroy());

  /** Runs the janitor to its end, as the schedule does. */
  async function run(env: Readonly<Record<string, string>> = {}) {
    const child = spawn(process.execPath, [PROGRAM], { env: { ...world.env, ...env } });
    let output = '';
    child.stdout.on('data', (text) => {
      output += text;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, output };
  }

  const newId = <Kind extends IdKind>(kind: Kind, at = new Date()) => idOf(kind, at, randomTail());
  async function workspace(slug: string) {
    const id = newId('workspace');
    const document = { _id: id, slug, name: slug, plan: 'free', createdAt: new Date(), guard: 0 } as const;
    await world.database.collections.workspaces.insertOne(document);
    return id;
  }
  async function endpoint(workspaceId: WorkspaceId, deletedAt: Date | null = null) {
    const id = newId('endpoint');
    const made = newEndpoint({
      id,
      workspaceId,
      url: 'https://hooks.example.com',
      description: null,
      eventTypes: ['billing.plan_changed'],
      enabled: deletedAt === null,
      secret: { keyId: 'k1', nonce: '', box: '' },
      createdAt: noon(60),
    });
    await world.database.collections.endpoints.insertOne(toDocument({ ...made, deletedAt }));
    return { id, workspaceId };
  }
  /** A delivered row with its one attempt. */
  async function delivered(
    { id: endpointId, workspaceId }: { id: EndpointId; workspaceId: WorkspaceId },
    createdAt: Date,
  ) {
    const id = newId('delivery', createdAt);
    const row: Delivery = {
      ...newDelivery({
        id,
        workspaceId,
        endpointId,
        eventType: 'billing.plan_changed',
        payload: {},
        traceId: newTraceId(),
        createdAt,
        dueAt: createdAt,
      }),
      status: 'delivered',
      dueAt: null,
    };
    const record = bookkeeping(
      row,
      { status: 'dead_lettered', failureReason: 'retries_exhausted' },
      createdAt,
    );
    await world.database.collections.deliveries.insertOne(toDeliveryDocument(row));
    await world.database.collections.attempts.insertOne(toAttemptDocument(record));
    return id;
  }
  const ids = async (name: 'deliveries' | 'endpoints' | 'notifications' | 'outbox') => {
    const found = await world.database.db.collection<{ _id: string }>(name).find().sort({ _id: 1 }).toArray();
    return found.map(({ _id }) => _id);
  };

  const dayOf = (daysAgo: number) => noon(daysAgo).toISOString().slice(0, 10);
  /** The days of all digests, in order. */
  const digestDays = async () => {
    const notifications = await world.database.collections.notifications.find().toArray();
    return notifications.map(({ data }) => (data as { day: string }).day).toSorted();
  };

  it('removes deliveries older than thirty days with their attempts, and tombstones with their last delivery', async () => {
    const workspaceId = await workspace('acme');
    const living = await endpoint(workspaceId);
    const [bare, owing] = [await endpoint(workspaceId, noon(40)), await endpoint(workspaceId, noon(5))];
    await delivered(living, noon(45));
    await delivered(bare, noon(31));
    const young = [await delivered(living, noon(29)), await delivered(owing, noon(10))];
    const { code } = await run();
    expect(code).to.equal(0);
    expect(await ids('deliveries')).to.deep.equal(young.toSorted());
    const { attempts } = world.database.collections;
    expect(await attempts.distinct('deliveryId')).to.have.members(young);
    const runs = await world.database.collections.taskRuns.find().sort({ _id: 1 }).toArray();
    expect(runs.map(({ _id, handled }) => [_id, handled])).to.deep.equal([
      ['cleanup', 2],
      ['digest', 0],
      ['stats', 0],
    ]);
    expect(runs[0]?.settings).to.deep.equal({ retentionMs: 30 * DAY_MS });
    // Deleted endpoints are examined side by side with the deliveries.
    await run();
    expect(await ids('endpoints')).to.have.members([living.id, owing.id]);
  });

  // Regression: nothing said that lost offsets send webhooks again whose deliveries were removed before their events.
  it('warns of a retention that is shorter than that of the topic of events', async () => {
    const warned = async (RETENTION: string) =>
      (await run({ RETENTION })).output.includes('"retention.short"');
    expect(await warned('13d')).to.equal(true);
    expect(await warned('14d'), 'seven days, and those of a segment').to.equal(false);
    const admin = world.kafka.admin();
    await admin.connect();
    const configEntries = [
      { name: 'retention.ms', value: String(5 * DAY_MS) },
      { name: 'segment.ms', value: String(DAY_MS) },
    ];
    const name = world.names.full(EVENTS_TOPIC);
    const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries }];
    await admin.alterConfigs({ validateOnly: false, resources });
    await admin.disconnect();
    await eventually(async () => expect(await warned('7d')).to.equal(false));
  });

  it('sends each workspace one digest of yesterday, even if it runs repeatedly', async () => {
    const [busy, idle] = [await workspace('busy'), await workspace('idle')];
    const [receiver, other] = [await endpoint(busy), await endpoint(idle)];
    await delivered(receiver, noon(1));
    await delivered(receiver, noon(1));
    await delivered(receiver, noon(8));
    await delivered(other, noon(0));
    const reader = await topicReader(world, NOTIFICATIONS_TOPIC);
    const codes = [(await run()).code, ...(await Promise.all([run(), run()])).map(({ code }) => code)];
    expect(codes).to.deep.equal([0, 0, 0]);
    const [digest, ...more] = await world.database.collections.notifications.find().toArray();
    expect(more).to.deep.equal([]);
    expect(digest).to.deep.include({ workspaceId: busy, kind: 'delivery_digest', endpointId: null });
    expect(digest?.data).to.include({ day: noon(1).toISOString().slice(0, 10), delivered: 2, pending: 0 });
    await eventually(() => expect(reader.records).to.have.length(1));
    const [message] = reader.records;
    expect(message?.headers).to.include({ ce_id: digest?._id, ce_type: 'notification.delivery_digest' });
    const codec = createSchemaCodec(world.env.SCHEMA_REGISTRY_URL ?? '', world.env.TOPIC_PREFIX ?? '');
    expect(await codec.decode(message!.value)).to.deep.include({ id: digest?._id, data: digest?.data });
    expect(await ids('outbox')).to.deep.equal([]);
    await reader.stop();
  });

  // Regression: no task ran while the broker or the registry was away, although all of them need only the database.
  it('runs all tasks while the broker and the registry are away', async () => {
    const receiver = await endpoint(await workspace('acme'));
    await delivered(receiver, noon(45));
    const kept = await delivered(receiver, noon(1));
    const nowhere = { KAFKA_BROKERS: '127.0.0.1:1', SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1' };
    const { code, output } = await run({ ...nowhere, START_TIMEOUT: '1s' });
    expect(code).to.equal(0);
    expect(output).to.include('"retention.unknown"');
    expect(await ids('deliveries')).to.deep.equal([kept]);
    const { outbox, taskRuns } = world.database.collections;
    for (const task of ['cleanup', 'digest', 'stats'])
      expect((await taskRuns.findOne({ _id: task }))?.lastSuccessAt, task).to.be.instanceOf(Date);
    expect(await taskRuns.findOne({ _id: 'cleanup' })).to.include({ handled: 1 });
    const waiting = await outbox.find().toArray();
    expect(waiting, 'for the next sweep').to.have.length(1);
    expect(waiting[0]?.claimedUntil).to.be.at.most(new Date());
  });

  it('sends the digests of missed days once', async () => {
    const receiver = await endpoint(await workspace('acme'));
    for (const daysAgo of [1, 3, 7, 8]) await delivered(receiver, noon(daysAgo));
    expect((await run()).code).to.equal(0);
    expect(await digestDays()).to.deep.equal([7, 3, 1].map(dayOf));
    expect((await run()).code).to.equal(0);
    expect(await digestDays()).to.have.length(3);
  });

  it('sends the other digests when one fails, exits with 1 and sends the missing one in the next run', async () => {
    const workspaces = [await workspace('first'), await workspace('second')].toSorted();
    for (const workspaceId of workspaces) await delivered(await endpoint(workspaceId), noon(1));
    const [failing, other] = workspaces;
    const validate = (validator: object) =>
      world.database.db.command({ collMod: 'notifications', validator });
    await validate({ workspaceId: { $ne: failing } });
    const { code, output } = await run();
    expect(code).to.equal(1);
    expect(output)
      .to.match(new RegExp(`"event":"digest.failed","workspaceId":"${failing}"`))
      .and.to.match(/"task":"digest".*workspaces without a digest: 1/);
    const { notifications, taskRuns } = world.database.collections;
    expect(await notifications.distinct('workspaceId')).to.deep.equal([other]);
    expect(await taskRuns.findOne({ _id: 'digest' })).to.include({ handled: null, lastSuccessAt: null });
    await validate({});
    expect((await run()).code).to.equal(0);
    expect(await notifications.distinct('workspaceId')).to.have.members(workspaces);
  });

  it('finishes the cleanup when the digest fails, and exits with 1', async () => {
    const receiver = await endpoint(await workspace('acme'));
    await delivered(receiver, noon(45));
    const kept = await delivered(receiver, noon(1));
    const validator = { kind: { $ne: 'delivery_digest' } };
    await world.database.db.command({ collMod: 'notifications', validator });
    const { code, output } = await run();
    expect(code).to.equal(1);
    expect(output)
      .to.match(/"task":"digest".*"msg":"digest failed: /)
      .and.to.match(/"event":"cleanup\.done"/);
    expect(await ids('deliveries')).to.deep.equal([kept]);
    expect(await ids('outbox')).to.deep.equal([]);
  });

  it('sends the digest when the cleanup fails, and exits with 1', async () => {
    const receiver = await endpoint(await workspace('acme'));
    await delivered(receiver, noon(1));
    await delivered(receiver, noon(45));
    // How far the cleanup has come cannot be stored.
    await world.database.db.command({ collMod: 'meta', validator: { _id: { $ne: 'cleanup' } } });
    const { code, output } = await run();
    expect(code).to.equal(1);
    expect(output).to.match(/"task":"cleanup".*"msg":"cleanup failed: /);
    expect(await ids('notifications')).to.have.length(1);
  });

  it('exits with 1 and the reason if the database is not migrated', async () => {
    const uri = new URL(world.env.MONGODB_URI ?? '');
    uri.pathname = `${uri.pathname}_empty`;
    const { code, output } = await run({ MONGODB_URI: uri.href, START_TIMEOUT: '0s' });
    expect(code).to.equal(1);
    expect(output).to.match(/"msg":"database schema: gave up after 0 s: .*run \\"admin migrate\\""/);
  });
});
