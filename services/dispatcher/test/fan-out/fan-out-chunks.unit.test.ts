import type { Delivery } from '@postrider/shared/domain/delivery';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import { idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { aFanOut, many, OTHER_WORKSPACE } from './a-fan-out.js';
import { aReadEvent } from './events.js';

describe('chunks of fan-out', () => {
  it('fans out events of several workspaces with one read, one insert and one message batch', async () => {
    const { add, calls } = aFanOut([...many(2), ...many(3, OTHER_WORKSPACE)]);
    await Promise.all([
      add(aReadEvent()),
      add(aReadEvent({ name: 'second' })),
      add(aReadEvent({ workspaceId: OTHER_WORKSPACE })),
    ]);
    expect(calls).to.deep.equal(['read 2 workspaces', 'insert 7', 'enqueue 7']);
  });

  it('stores at most 500 rows at a time and reads one page more than it needs at most', async () => {
    const { add, calls, reads, rows } = aFanOut(many(1_201));
    await add(aReadEvent());
    expect(calls.filter((call) => call.startsWith('insert'))).to.deep.equal([
      'insert 500',
      'insert 500',
      'insert 201',
    ]);
    expect(Math.max(...reads)).to.equal(501);
    expect(rows.size).to.equal(1_201);
  });

  it('stores at most 4 MB at a time', async () => {
    const { add, chunks } = aFanOut(many(10));
    await add(aReadEvent(), { bytes: 1024 * 1024 });
    expect(chunks.map((rows) => rows.length)).to.deep.equal([4, 4, 2]);
  });

  it('reads the subscribers of a workspace once for all its waiting events', async () => {
    const { add, calls, rows } = aFanOut(many(400));
    await Promise.all(['a', 'b', 'c'].map((name) => add(aReadEvent({ name }))));
    expect(calls.filter((call) => call.startsWith('read'))).to.deep.equal(['read a page']);
    expect(rows.size).to.equal(1_200);
  });

  it('reads the subscribers again for an event that arrives later', async () => {
    const world = aFanOut(many(1));
    await world.add(aReadEvent());
    const [late] = many(1, idFor('workspace', 'unused')).map((one) => ({
      ...one,
      workspaceId: WORKSPACE_ID,
    }));
    world.stores.endpoints.set(late!.id, late!);
    await world.add(aReadEvent({ name: 'second' }));
    expect(world.rows.size).to.equal(3);
  });

  it('puts an event of another workspace into the next chunk, however many rows wait', async () => {
    const world = aFanOut([...many(2_000), ...many(1, OTHER_WORKSPACE)]);
    const { add, chunks } = world;
    const ofOther = (rows: readonly Delivery[]) =>
      rows.some(({ workspaceId }) => workspaceId === OTHER_WORKSPACE);
    const added = Promise.withResolvers<void>();
    world.beforeInsert = async () => {
      if (chunks.length === 5) added.resolve(add(aReadEvent({ workspaceId: OTHER_WORKSPACE })));
    };
    const events = ['a', 'b', 'c'].map((name) => add(aReadEvent({ name })));
    await Promise.all([...events, added.promise]);
    expect(chunks.findIndex(ofOther)).to.equal(6);
    expect(chunks).to.have.length(13);
  });

  it('takes at most 100 rows of a workspace into a chunk if there are others, and continues at once', async () => {
    const { add, chunks } = aFanOut([...many(250), ...many(20, OTHER_WORKSPACE)]);
    await Promise.all([add(aReadEvent()), add(aReadEvent({ workspaceId: OTHER_WORKSPACE }))]);
    expect(chunks.map((rows) => rows.length)).to.deep.equal([120, 150]);
  });

  it('stores no further rows of a workspace with many unstarted ones until they have started, but those of others', async () => {
    const world = aFanOut([...many(1_200), ...many(1, OTHER_WORKSPACE)]);
    world.hasShare = (workspaceId) => workspaceId === WORKSPACE_ID;
    world.beforeInsert = async () => {
      world.areUnstartedMany = true;
    };
    const added = world.add(aReadEvent());
    await eventually(() => expect(world.chunks).to.have.length(1));
    for (const name of ['first', 'second'])
      await world.add(aReadEvent({ name, workspaceId: OTHER_WORKSPACE }));
    expect(world.chunks.map(({ length }) => length)).to.deep.equal([500, 1, 1]);
    world.beforeInsert = async () => {};
    world.areUnstartedMany = false;
    await added;
    expect(world.sent).to.have.length(1_202);
  });

  it('shares chunks equally among workspaces', async () => {
    const others = Array.from({ length: 10 }, (_, index) => idFor('workspace', `another ${index}`));
    const { add, chunks } = aFanOut(others.flatMap((workspaceId) => many(60, workspaceId)));
    await Promise.all(others.map((workspaceId) => add(aReadEvent({ workspaceId }))));
    const [first = []] = chunks;
    const counts = others.map((id) => first.filter(({ workspaceId }) => workspaceId === id).length);
    expect(counts).to.deep.equal(Array(10).fill(50));
  });

  it('shares the bytes of chunks equally among workspaces', async () => {
    const { add, chunks } = aFanOut([...many(600), ...many(600, OTHER_WORKSPACE)]);
    const bytes = 63 * 1_024;
    await Promise.all([
      add(aReadEvent(), { bytes }),
      add(aReadEvent({ workspaceId: OTHER_WORKSPACE }), { bytes }),
    ]);
    const [first = []] = chunks;
    const here = first.filter(({ workspaceId }) => workspaceId === WORKSPACE_ID);
    expect([first.length, here.length]).to.deep.equal([64, 32]);
  });

  it('begins the next chunk with the workspaces that a full one had no room for', async () => {
    const others = Array.from({ length: 7 }, (_, index) => idFor('workspace', `another ${index}`));
    const { add, chunks } = aFanOut(others.flatMap((workspaceId) => many(20, workspaceId)));
    const bytes = 1_023 * 1_024;
    await Promise.all(others.map((workspaceId) => add(aReadEvent({ workspaceId }), { bytes })));
    const served = chunks
      .slice(0, 4)
      .map((rows) => rows.map(({ workspaceId }) => others.indexOf(workspaceId)));
    expect(served).to.deep.equal([
      [0, 1, 2, 3],
      [4, 5, 6, 0],
      [1, 2, 3, 4],
      [5, 6, 0, 1],
    ]);
  });

  /** Endpoints with 500 subscriptions each, one of which matches. */
  const manySubscribed = (count: number, workspaceId: WorkspaceId) => {
    const made = Array.from({ length: 499 }, (_, index) => ({ eventType: `x.t${index}`, since: NOON }));
    const subscriptions = [...made, { eventType: 'billing.plan_changed' as const, since: NOON }];
    return many(count, workspaceId).map((endpoint) => ({ ...endpoint, subscriptions }));
  };
  const mostOf = (counts: readonly number[]) => counts.reduce((most, one) => Math.max(most, one), 0);

  it('reads at most 20,000 subscriptions of a workspace in a round, and stores events of others with them', async () => {
    const { add, calls, chunks, rows, subscriptionsRead } = aFanOut([
      ...manySubscribed(500, WORKSPACE_ID),
      ...many(1, OTHER_WORKSPACE),
    ]);
    const other = aReadEvent({ name: 'other', workspaceId: OTHER_WORKSPACE });
    await Promise.all([add(aReadEvent()), add(other)]);
    expect(rows.size).to.equal(501);
    const [together, ...pages] = subscriptionsRead;
    expect(together).to.be.at.most(40_000);
    expect(mostOf(pages)).to.equal(20_000);
    expect(chunks[0]?.some(({ workspaceId }) => workspaceId === OTHER_WORKSPACE)).to.equal(true);
    const beforeRows = calls.slice(0, calls.indexOf('insert 41'));
    expect(beforeRows).to.deep.equal(['read 2 workspaces', 'read a page', 'read a page']);
    subscriptionsRead.length = 0;
    await add(aReadEvent({ name: 'second' }));
    expect(subscriptionsRead.reduce((sum, one) => sum + one, 0)).to.be.within(250_000, 260_000);
  });

  it('reads few workspaces with many subscriptions in a round, and all others in the next ones', async () => {
    const workspaces = Array.from({ length: 20 }, (_, index) => idFor('workspace', `another ${index}`));
    const world = aFanOut(workspaces.flatMap((workspaceId) => manySubscribed(50, workspaceId)));
    const { add, chunks, rows, subscriptionsRead } = world;
    const readBefore: number[] = [];
    world.beforeInsert = async () => {
      readBefore.push(subscriptionsRead.splice(0).reduce((sum, one) => sum + one, 0));
    };
    await Promise.all(workspaces.map((workspaceId) => add(aReadEvent({ name: workspaceId, workspaceId }))));
    expect(rows.size).to.equal(20 * 50);
    // A shared read, eight instead of it, and those of workspaces that are known to have many.
    expect(mostOf(readBefore)).to.be.at.most(40_000 + 8 * 20_000 + 40_000);
    const first = workspaces.map((one) =>
      chunks.findIndex((chunk) => chunk.some((row) => row.workspaceId === one)),
    );
    expect(mostOf(first)).to.be.at.most(2);
  });

  /** A comparison with an event whose `amounts` are a long list makes 100,000 checks. */
  const costly = JSON.stringify({ amounts: Array.from({ length: 100 }, () => ({ gt: 9 })) });
  const aCostlyEvent = (name: string) => {
    const event = aReadEvent({ name });
    return { ...event, payload: { ...event.payload, amounts: Array.from({ length: 1_000 }, () => 1) } };
  };

  it('lets other work of the process continue between comparisons that take long', async () => {
    const { add } = aFanOut(many(100).map((endpoint) => ({ ...endpoint, filter: costly })));
    let turns = 0;
    const count = () => {
      turns += 1;
      return setImmediate(() => {
        timer = count();
      });
    };
    let timer = count();
    await add(aCostlyEvent('first'));
    clearImmediate(timer);
    expect(turns).to.be.greaterThan(20);
  });

  it('stores rows of matching endpoints alone, and stops comparing for turns of other workspaces', async () => {
    const filtered = many(2_500).map((endpoint, index) => ({
      ...endpoint,
      filter:
        index % 20 === 1 ? costly : JSON.stringify({ plan: [index % 1_000 === 0 ? 'team' : 'another'] }),
    }));
    const { add, calls, rows } = aFanOut([...filtered, ...many(1, OTHER_WORKSPACE)]);
    const first = add(aCostlyEvent('first')).then(() => calls.push('first is done'));
    await add(aReadEvent({ workspaceId: OTHER_WORKSPACE }));
    calls.push('the other is done');
    await first;
    expect(rows.size).to.equal(4);
    expect(calls.indexOf('the other is done')).to.be.lessThan(calls.indexOf('first is done'));
    expect(calls.filter((call) => call === 'read a page').length).to.be.greaterThan(4);
  });
});
