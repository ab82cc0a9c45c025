import { type IdKind, idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import { domainEvent } from '@postrider/shared/events/domain-event';
import { createOutboxPublisher } from '@postrider/shared/kafka/outbox-publisher';
import { createPartitioner } from '@postrider/shared/kafka/partition-of';
import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { eventRecord } from '@postrider/shared/outbox/record';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { createFailpoints } from '@postrider/shared/runtime/failpoints';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { eventually } from '@postrider/shared/testing/eventually';
import { fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { type EventConsumer, startEventConsumer } from '../../src/consumer/event-consumer.js';
import type { NewEvent } from '../../src/fan-out/open-event.js';
import { turnLimitsBy } from '../engine/builders.js';

const newId = <Kind extends IdKind>(kind: Kind) => idOf(kind, new Date(), randomTail());

/** A new workspace whose events are in a partition of 2. */
function aWorkspace(partition = 0): WorkspaceId {
  const partitionOf = createPartitioner(2);
  for (;;) {
    const id = newId('workspace');
    if (partitionOf(id) === partition) return id;
  }
}

describe('event consumer', () => {
  let world: TestWorld;
  let publisher: Publisher;
  let consumer: EventConsumer;
  const added: NewEvent[] = [];
  before(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
    const codec = createSchemaCodec(world.env.SCHEMA_REGISTRY_URL!, world.env.TOPIC_PREFIX!);
    publish = createOutboxPublisher(publisher.publish, codec);
    join = (onEvent) =>
      startEventConsumer({
        ...world,
        sessionTimeoutMs: 6_000,
        crashBefore: createFailpoints([]),
        turnLimit: turnLimitsBy(() => performance.now()),
        fail: (reason) => {
          throw new Error(reason);
        },
        codec,
        customCodec: { decode: async () => null },
        catalogue: fixedCatalogue(),
        quarantine: async () => {},
        fanOut: {
          add: (event) => void onEvent(event) as never,
          removeUnwanted: () => {},
          quiesce: async () => {},
        },
        limits: { openEvents: 90, openBytes: 1_000_000, deferredRuns: 10_000 },
        fitsRow: () => true,
        clock: { now: () => new Date() },
      });
    consumer = await join((event) => onAdded(event));
    await consumer.joined;
  });
  after(async () => {
    await consumer?.leave(1_000);
    await publisher?.close();
    await world?.destroy();
  });

  let join: (onEvent: (event: NewEvent) => void) => Promise<EventConsumer>;
  let onAdded: (event: NewEvent) => void = (event) => added.push(event);
  let publish: ReturnType<typeof createOutboxPublisher>;
  const publishFor = async (id: WorkspaceId, events: number) => {
    const workspace = { id, slug: 'acme' };
    const own = { previousPlan: 'free', plan: 'team' } as const;
    const occurredAt = new Date();
    const made = Array.from({ length: events }, () =>
      domainEvent({ type: 'billing.plan_changed', id: newId('event'), workspace, occurredAt, own }),
    );
    await publish(made.map((event) => eventRecord(event, newTraceId())));
    return made.map(({ payload }) => payload.eventId);
  };
  const idsOf = (workspaceId: WorkspaceId) =>
    added.map(({ event }) => event.payload).filter((payload) => payload.workspaceId === workspaceId);

  it('takes in an event behind the backlog of another workspace, which it reads again in order', async () => {
    const [busy, calm] = [aWorkspace(), aWorkspace()];
    const backlog = await publishFor(busy, 300);
    await eventually(() => expect(consumer.figures().open).to.equal(300));
    await eventually(() => expect(added).to.have.length(10));
    await publishFor(calm, 1);
    await eventually(() => expect(idsOf(calm)).to.have.length(1));
    expect(idsOf(busy)).to.have.length(10);
    expect(consumer.figures()).to.include({ open: 301, pausedPartitions: 0 });
    for (let done = 0; done < 301; done += 1) {
      await eventually(() => expect(added.length).to.be.greaterThan(done));
      added[done]!.done();
    }
    expect(idsOf(busy).map(({ eventId }) => eventId)).to.deep.equal(backlog);
    expect(consumer.figures().open).to.equal(0);
  });

  // Regression: the next owner of a partition handled the events of the last second again.
  it('leaves no event that is done to another member that joins', async () => {
    const taken: string[] = [];
    const take = ({ event, done }: NewEvent) => {
      taken.push(event.payload.eventId);
      done();
    };
    onAdded = take;
    const workspaces = [aWorkspace(0), aWorkspace(1)];
    const published: string[] = [];
    const publishOne = async () => {
      for (const id of workspaces) published.push(...(await publishFor(id, 1)));
    };
    await publishOne();
    await eventually(() => expect(taken).to.have.length(2));
    const other = await join(take);
    let hasJoined = false;
    void other.joined.then(() => {
      hasJoined = true;
    });
    while (!hasJoined) await publishOne();
    await publishOne();
    await eventually(() => expect(taken).to.include.members(published));
    expect(taken.toSorted()).to.deep.equal(published.toSorted());
    await other.leave(1_000);
  });

  it('takes in the events of a topic that was recreated while it runs', async () => {
    onAdded = (event) => added.push(event);
    const topic = world.names.full(EVENTS_TOPIC);
    const admin = world.kafka.admin();
    await admin.connect();
    await admin.deleteTopics({ topics: [topic] });
    await eventually(async () => expect(await admin.listTopics()).not.to.include(topic));
    await admin.createTopics({ topics: [{ topic, numPartitions: 2 }] });
    await admin.disconnect();
    const workspace = aWorkspace();
    const events = await publishFor(workspace, 2);
    await eventually(() => expect(idsOf(workspace).map(({ eventId }) => eventId)).to.deep.equal(events));
  });
});
