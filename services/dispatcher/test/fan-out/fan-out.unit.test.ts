import { DELIVERIES_TOPIC } from '@postrider/shared/ports/topics';
import { anEndpoint, idFor, later, NOON, TRACE_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { aFanOut, HELD_PER_ENDPOINT, many } from './a-fan-out.js';
import { aReadEvent } from './events.js';

/** A busy process with a workspace of `count` endpoints beside ten with one each. */
function besideOthers(count: number) {
  const others = Array.from({ length: 10 }, (_, n) => idFor('workspace', `other ${n}`));
  const world = aFanOut([...many(count), ...others.flatMap((workspaceId) => many(1, workspaceId))]);
  let time = 0;
  world.monotonicMs = () => time;
  world.busy = 1;
  return {
    world,
    large: () => world.chunks.flat().filter(({ workspaceId }) => workspaceId === WORKSPACE_ID).length,
    addToOthers: (name: string) =>
      Promise.all(others.map((workspaceId) => world.add(aReadEvent({ workspaceId, name })))),
    setTime(ms: number) {
      time = ms;
    },
  };
}

describe('fan-out', () => {
  it('stores the rows of an event, publishes a message for each, and is done then', async () => {
    const { add, calls, rows, sent, handedOver } = aFanOut(many(2));
    await add(aReadEvent());
    expect(calls).to.deep.equal(['read a page', 'insert 2', 'enqueue 2']);
    expect(handedOver).to.deep.equal([...rows.values()]);
    expect(sent).to.deep.equal(
      [...rows.values()].map(({ id, endpointId }) => ({
        topic: DELIVERIES_TOPIC,
        message: { deliveryId: id, endpointId, workspaceId: WORKSPACE_ID, ordinal: 1, traceId: TRACE_ID },
      })),
    );
  });

  it("makes rows due by the machine's clock while the database's is far ahead of it", async () => {
    const world = aFanOut(many(1));
    world.wallAheadMs = -3_600_000;
    await world.add(aReadEvent());
    const [row] = world.rows.values();
    expect(row).to.deep.include({ createdAt: NOON, dueAt: later(-3_600_000) });
    expect(world.handedOver).to.deep.equal([row]);
  });

  it('publishes the messages of existing rows again and hands over only new rows', async () => {
    const { add, rows, sent, handedOver } = aFanOut(many(2));
    await add(aReadEvent());
    const before = [...rows.values()];
    await add(aReadEvent());
    expect([...rows.values()]).to.deep.equal(before);
    expect(sent.slice(2)).to.deep.equal(sent.slice(0, 2));
    expect(handedOver).to.have.length(2);
  });

  it('publishes no messages of rows that are handed over, and is done when their attempts have ended', async () => {
    const world = aFanOut(many(2));
    world.mayTake = () => true;
    const added = world.add(aReadEvent());
    await eventually(() => expect(world.taken).to.have.length(2));
    for (const one of world.taken) Object.assign(one, { hasEnded: true }).onEnded();
    await added;
    expect(world.calls).to.deep.equal(['read a page', 'insert 2']);
  });

  it('publishes the messages of rows that are handed over if their attempts take long, and is done then', async () => {
    const world = aFanOut(many(2));
    world.mayTake = () => true;
    await world.add(aReadEvent());
    expect(world.calls).to.deep.equal(['read a page', 'insert 2', 'enqueue 2']);
  });

  it('publishes at once the messages of rows that are not handed over', async () => {
    const world = aFanOut(many(2));
    const [first] = many(2);
    world.mayTake = ({ message }) => message.endpointId === first!.id;
    const added = world.add(aReadEvent());
    await eventually(() => expect(world.sent).to.have.length(1));
    expect(world.sent[0]!.message.endpointId).not.to.equal(first!.id);
    await added;
    expect(world.sent).to.have.length(2);
  });

  it('only waits for attempts once the messages of the other rows are published', async () => {
    const world = aFanOut(many(2));
    const [first] = many(2);
    world.mayTake = ({ message }) => message.endpointId === first!.id;
    let isQueued = false;
    let isDone = false;
    const queued = () => {
      isQueued = true;
    };
    const added = world.add(aReadEvent(), { queued }).then(() => {
      isDone = true;
    });
    await eventually(() => expect(isQueued).to.equal(true));
    expect([world.calls, isDone]).to.deep.equal([['read a page', 'insert 2', 'enqueue 1'], false]);
    await added;
  });

  it('is done with an event without subscribers and remembers that it matched nothing', async () => {
    const { add, calls, stores } = aFanOut([]);
    const { type, payload, occurredAt } = aReadEvent();
    await add(aReadEvent());
    expect(calls).to.deep.equal(['read a page']);
    expect([...stores.unmatchedEvents.values()]).to.deep.equal([
      { eventId: payload.eventId, workspaceId: WORKSPACE_ID, type, occurredAt },
    ]);
  });

  it('remembers no event of which a delivery is stored, in whichever page of its subscribers', async () => {
    const { add, stores } = aFanOut([
      ...many(600),
      anEndpoint({ id: idFor('endpoint', 'zzz'), subscriptions: [] }),
    ]);
    await add(aReadEvent());
    expect(stores.unmatchedEvents.size).to.equal(0);
  });

  it('remembers an event of which nothing is held, because too much is', async () => {
    const since = later(-60_000);
    const disabled = {
      enabled: false,
      disabledReason: 'operator',
      disabledAt: since,
      enabledSince: since,
    } as const;
    const holding = { since, rows: HELD_PER_ENDPOINT, missed: 0 };
    const { add, stores } = aFanOut([anEndpoint({ ...disabled, holding })]);
    await add(aReadEvent());
    expect(stores.unmatchedEvents.size).to.equal(1);
  });

  it('lets a workspace with many rows rest in a busy process, while those of others are stored at once', async () => {
    const { world, large, addToOthers, setTime } = besideOthers(120);
    const done = world.add(aReadEvent());
    await addToOthers('first');
    await addToOthers('second');
    expect(large()).to.equal(100);
    setTime(299);
    await addToOthers('third');
    expect(large()).to.equal(100);
    setTime(300);
    await done;
    expect(large()).to.equal(120);
  });

  it('lets a workspace rest whose large event is planned already, also when its next one comes', async () => {
    const { world, large, addToOthers, setTime } = besideOthers(99);
    await Promise.all([world.add(aReadEvent({ name: 'one' })), addToOthers('first')]);
    await addToOthers('second');
    setTime(100);
    const done = world.add(aReadEvent({ name: 'two' }));
    await addToOthers('third');
    expect(large()).to.equal(99);
    setTime(297);
    await done;
    expect(large()).to.equal(198);
  });
});
