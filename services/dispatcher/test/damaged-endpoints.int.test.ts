import { asId } from '@postrider/shared/domain/id';
import { DELIVERIES_TOPIC, EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Admin } from 'kafkajs';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

describe('dispatcher with an endpoint that is damaged in the database', () => {
  let here: DispatcherWorld;
  beforeEach(async () => {
    here = await dispatcherWorld();
  });
  afterEach(async () => {
    await here?.stop();
  });

  /** The second of three endpoints of a workspace has a filter that is no JSON, or other damaged fields. */
  async function withDamaged(fields: object = { filter: '{' }) {
    await here.endpoint('before');
    const id = asId('endpoint', await here.endpoint('damaged'));
    await here.endpoint('after');
    const { endpoints } = here.world.database.collections;
    const stored = await endpoints.findOne({ _id: id });
    await endpoints.updateOne({ _id: id }, { $set: fields });
    return { repair: () => endpoints.replaceOne({ _id: id }, stored!) };
  }
  const countPosts = () => ['before', 'damaged', 'after'].map((path) => here.posts(path).length);
  const idsOf = (path: string) => here.posts(path).map(({ headers }) => headers['webhook-id']);
  async function withAdmin<T>(ask: (admin: Admin) => Promise<T>): Promise<T> {
    const admin = here.world.kafka.admin();
    await admin.connect();
    try {
      return await ask(admin);
    } finally {
      await admin.disconnect();
    }
  }
  /** The committed offsets of all partitions together. */
  async function committed() {
    const { full } = here.world.names;
    const topics = [full(EVENTS_TOPIC)];
    const [found] = await withAdmin((admin) => admin.fetchOffsets({ groupId: full('fan-out'), topics }));
    return found!.partitions.reduce((sum, { offset }) => sum + Math.max(Number(offset), 0), 0);
  }
  /** All messages of first attempts. */
  async function countMessages() {
    const topic = here.world.names.full(DELIVERIES_TOPIC);
    const partitions = await withAdmin((admin) => admin.fetchTopicOffsets(topic));
    return partitions.reduce((sum, { high }) => sum + Number(high), 0);
  }

  it('delivers to the other endpoints, and to that one once it is repaired', async () => {
    const { repair } = await withDamaged();
    for (let events = 0; events < 3; events += 1) await here.changePlan();
    await eventually(() => expect(countPosts()).to.deep.equal([3, 0, 3]));
    await repair();
    await eventually(() => expect(countPosts()).to.deep.equal([3, 3, 3]));
    await eventually(async () => expect(await committed()).to.equal(3));
    expect(countPosts(), 'nothing twice').to.deep.equal([3, 3, 3]);
  });

  it('delivers many events to it once it is repaired, each once', async () => {
    const { repair } = await withDamaged();
    const events = await Promise.all(Array.from({ length: 200 }, () => here.changePlan()));
    await eventually(() => expect(countPosts()).to.deep.equal([200, 0, 200]));
    await repair();
    await eventually(() => expect(countPosts()).to.deep.equal([200, 200, 200]));
    await eventually(async () => expect(await committed()).to.equal(200));
    expect(new Set(idsOf('damaged')).size).to.equal(events.length);
  });

  // Regression: each time that the event was fanned out again, the messages of all other deliveries were published again.
  it('publishes at most one message for each delivery, however often the event is fanned out again', async () => {
    const [first, second] = [await withDamaged(), await withDamaged()];
    await here.changePlan();
    await eventually(() => expect(countPosts()).to.deep.equal([2, 0, 2]));
    await first.repair();
    await eventually(() => expect(countPosts(), 'it was fanned out again').to.deep.equal([2, 1, 2]));
    await second.repair();
    await eventually(() => expect(countPosts(), 'and once more').to.deep.equal([2, 2, 2]));
    await eventually(async () => expect(await committed()).to.equal(1));
    expect(await countMessages()).to.be.at.most(6);
  });

  // Regression: no event of any workspace was fanned out, because each round failed.
  const text = new Date().toISOString();
  const subscription = { eventType: 'billing.plan_changed', since: new Date() };
  for (const [what, subscriptions] of [
    [
      'times of several subscriptions that match are texts',
      [
        { eventType: 'billing.plan_changed', since: text },
        { eventType: '*', since: text },
      ],
    ],
    ['list of subscriptions has a null', [null, subscription]],
    ['subscriptions are no list', subscription],
    ['replaced subscriptions have a null', [{ ...subscription, earlier: [null] }]],
  ] as const)
    it(`does so if its ${what}`, async () => {
      const { repair } = await withDamaged({ subscriptions });
      await here.changePlan();
      await eventually(() => expect(countPosts()).to.deep.equal([1, 0, 1]));
      await repair();
      await eventually(() => expect(countPosts()).to.deep.equal([1, 1, 1]));
    });

  it('delivers to the other endpoints if the count of its held deliveries is damaged, and holds its own', async () => {
    const since = new Date();
    await withDamaged({
      enabled: false,
      disabledReason: 'operator',
      disabledAt: since,
      holding: { since: since.toISOString(), rows: 1, missed: 0 },
    });
    await here.changePlan();
    await eventually(() => expect(countPosts()).to.deep.equal([1, 0, 1]));
    const { deliveries } = here.world.database.collections;
    expect(await deliveries.countDocuments({ failureReason: 'endpoint_disabled' })).to.equal(1);
  });

  it('does so after a restart, and makes no other delivery again', async () => {
    const { repair } = await withDamaged();
    await here.changePlan();
    await eventually(() => expect(countPosts()).to.deep.equal([1, 0, 1]));
    await here.stopDispatcher();
    expect(await committed()).to.equal(0);
    await here.startAnother();
    await here.changePlan();
    await eventually(() => expect(countPosts()).to.deep.equal([2, 0, 2]));
    await repair();
    await eventually(() => expect(countPosts()).to.deep.equal([2, 2, 2]));
    await eventually(async () => expect(await committed()).to.equal(2));
    for (const path of ['before', 'damaged', 'after']) expect(new Set(idsOf(path)).size).to.equal(2);
  });
});
