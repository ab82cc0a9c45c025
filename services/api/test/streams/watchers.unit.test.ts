import type { PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { frame } from '@postrider/shared/kafka/wire-format';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { collectGarbage } from '@postrider/shared/testing/collect-garbage';
import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import type { ShownRecord } from '../../src/streams/shown-record.js';
import { createEventReader, type Reading } from '../../src/streams/stream-record-readers.js';
import { createWatchers } from '../../src/streams/watchers.js';

const BEFORE = new Map([[0, 0]]);
const ONE_SLICE = 50;

/** Records of workspaces, as parts of one buffer, like those of a fetch. */
function aFetch(...workspaces: readonly string[]): PartitionRecord[] {
  const response = Buffer.alloc(1024 * 1024);
  return workspaces.map((workspaceId, offset) => {
    const part = (text: string, at: number) => {
      response.write(text, at);
      return response.subarray(at, at + text.length);
    };
    const at = offset * 100;
    const headers = { ce_type: part('a.b', at + 60), ce_id: part('evt_1', at + 70) };
    return {
      ...{ partition: 0, offset, timestamp: 1, headers },
      ...{ key: part(workspaceId, at), value: part(`value ${offset}`, at + 30) },
    };
  });
}

/** The watchers of a topic whose records have their workspace as key, and a subscriber of the workspace `one`. */
function aWatchedTopic() {
  const read: PartitionRecord[] = [];
  const world = { onRead: (_: PartitionRecord): Reading['refresh'] => null };
  const watchers = createWatchers({
    records: {
      workspaceOf: ({ key }) => String(key),
      read(record) {
        read.push(record);
        const { headers, value } = record;
        const name = `${headers.ce_type} ${value}`;
        const shown = { name, eventType: 'a.b', endpointId: null, payloadOf: null, data: {} };
        return { shown, refresh: world.onRead(record) };
      },
    },
    idOf: () => '',
    monotonicMs: () => 0,
    readyWithinMs: 60_000,
  });
  const taken: string[] = [];
  let ready: PromiseWithResolvers<void> | null = null;
  const subscriber = {
    workspaceId: 'one',
    take: ({ record }: ShownRecord) => void taken.push(record.name),
    readiness: () => ready?.promise ?? null,
    reset() {},
  };
  watchers.add({ subscriber, from: null });
  const block = () => {
    ready = Promise.withResolvers<void>();
  };
  const unblock = async () => {
    ready?.resolve();
    ready = null;
    await nextTurn();
  };
  return { watchers, world, read, taken, subscriber, block, unblock };
}

describe('watchers', () => {
  it('give the records of a fetch at once, as they are, while the subscribers are ready', () => {
    const { watchers, read, taken } = aWatchedTopic();
    const fetched = aFetch('one', 'other', 'one');
    void watchers.give(fetched, BEFORE);
    expect(taken).to.deep.equal(['a.b value 0', 'a.b value 2']);
    expect(read[1]).to.equal(fetched[2]);
    expect(watchers.isBehind('one')).to.equal(false);
  });

  // Regression: a slow stream kept whole fetches, with the records of all workspaces, in memory.
  for (const [name, inFront] of Object.entries({ 'of the first fetch': [], 'of a later fetch': ['one'] }))
    it(`keep nothing of a fetch but the records that wait, ${name}`, async () => {
      const { watchers, read, taken, block, unblock } = aWatchedTopic();
      block();
      if (inFront.length > 0) void watchers.give(aFetch(...inFront), BEFORE);
      const giveFetch = () => {
        const fetched = aFetch('other', 'one', 'one');
        void watchers.give(fetched, BEFORE);
        const buffers = [fetched[0]!.value!.buffer, fetched[1]!];
        return buffers.map((one) => new WeakRef<object>(one));
      };
      const kept = giveFetch();
      await nextTurn();
      collectGarbage();
      expect(kept.map((one) => one.deref())).to.deep.equal([undefined, undefined]);
      expect(taken).to.deep.equal([]);
      expect(watchers.isBehind('one')).to.equal(true);
      await unblock();
      expect(taken.slice(inFront.length)).to.deep.equal(['a.b value 1', 'a.b value 2']);
      for (const { key, value } of read) {
        expect(value!.buffer.byteLength).to.equal(key!.length + value!.length);
        expect(String(key)).to.equal('one');
      }
      expect(watchers.isBehind('one')).to.equal(false);
    });

  it('keep only what waits of a fetch of which a part was taken', async () => {
    const { watchers, read, taken, subscriber, block, unblock } = aWatchedTopic();
    const take = subscriber.take.bind(subscriber);
    subscriber.take = (shown) => {
      take(shown);
      if (taken.length === ONE_SLICE) block();
    };
    const fetched = aFetch(...Array.from({ length: ONE_SLICE + 2 }, () => 'one'));
    void watchers.give(fetched, BEFORE);
    expect(taken).to.have.length(ONE_SLICE);
    await unblock();
    expect(taken).to.deep.equal(fetched.map(({ value }) => `a.b ${value}`));
    const isFetched = read.map((record) => fetched.includes(record));
    expect(isFetched).to.deep.equal(fetched.map(({ offset }) => offset < ONE_SLICE));
  });

  it('wait for subscribers, however large the fetch is', async () => {
    const { watchers, taken, block, unblock } = aWatchedTopic();
    block();
    const large = { value: Buffer.alloc(9 * 1024 * 1024) };
    void watchers.give(
      aFetch('one').map((record) => ({ ...record, ...large })),
      BEFORE,
    );
    await nextTurn();
    expect(taken).to.deep.equal([]);
    await unblock();
    expect(taken).to.have.length(1);
  });

  it('stop waiting for subscribers once more than 8 MiB wait behind a fetch', async () => {
    const { watchers, taken, block } = aWatchedTopic();
    block();
    const large = { value: Buffer.alloc(4 * 1024 * 1024) };
    const giveLarge = async () => {
      void watchers.give(
        aFetch('one').map((record) => ({ ...record, ...large })),
        BEFORE,
      );
      await nextTurn();
    };
    await giveLarge();
    await giveLarge();
    expect(taken).to.have.length(0);
    await giveLarge();
    expect(taken).to.have.length(1);
    expect(watchers.isBehind('one')).to.equal(true);
  });

  it('drop at once what waits when the last subscriber of the workspace leaves', async () => {
    const { watchers, read, subscriber, block } = aWatchedTopic();
    block();
    const given = watchers.give(aFetch('one'), BEFORE);
    await nextTurn();
    watchers.remove(subscriber);
    await given;
    expect(read).to.deep.equal([]);
  });

  it('give later records after those that wait', async () => {
    const { watchers, taken, block, unblock } = aWatchedTopic();
    block();
    void watchers.give(aFetch('one'), BEFORE);
    const given = watchers.give(aFetch('other', 'one'), BEFORE);
    await unblock();
    await given;
    void watchers.give(aFetch('other', 'other', 'one'), BEFORE);
    expect(taken).to.deep.equal(['a.b value 0', 'a.b value 1', 'a.b value 2']);
  });

  it('give a record, and those behind it, once newer definitions are read, and those of other workspaces at once', async () => {
    const { watchers, world, read, taken, subscriber } = aWatchedTopic();
    const other: string[] = [];
    const ofOther = { ...subscriber, workspaceId: 'other' };
    ofOther.take = ({ record }) => void other.push(record.name);
    watchers.add({ subscriber: ofOther, from: null });
    const definitions = Promise.withResolvers<void>();
    const fetched = aFetch('one', 'one', 'other', 'one');
    world.onRead = ({ offset }) => (offset === 1 ? () => definitions.promise : null);
    const given = watchers.give(fetched, BEFORE);
    await nextTurn();
    expect([taken, other]).to.deep.equal([['a.b value 0'], ['a.b value 2']]);
    expect([watchers.isBehind('one'), watchers.isBehind('other')]).to.deep.equal([true, false]);
    definitions.resolve();
    await given;
    expect(taken).to.deep.equal(['a.b value 0', 'a.b value 1', 'a.b value 3']);
    expect(read.filter(({ offset }) => offset === 1).length).to.be.greaterThan(1);
    expect(watchers.isBehind('one')).to.equal(false);
  });

  it('stop waiting for definitions once more than 8 MiB wait behind a fetch', async () => {
    const { watchers, world, taken } = aWatchedTopic();
    world.onRead = () => () => new Promise(() => {});
    const large = { value: Buffer.alloc(4 * 1024 * 1024) };
    for (const count of [0, 0, 0, 1]) {
      expect(taken).to.have.length(count);
      void watchers.give(
        aFetch('one').map((record) => ({ ...record, ...large })),
        BEFORE,
      );
      await nextTurn();
    }
  });

  // Regression: an event was left out if this process had not read the definition of its type yet.
  it('give an event whose type becomes known by a refresh', async () => {
    const catalogue = fixedCatalogue();
    const refresh = async () => {
      catalogue.set([anEventType()]);
      return catalogue.current();
    };
    const time = { monotonicMs: () => 0, sleep: async () => {} };
    const records = createEventReader({ catalogue: { ...catalogue, refresh }, ...time });
    const watchers = createWatchers({ records, idOf: () => '', readyWithinMs: 60_000, ...time });
    const taken: unknown[] = [];
    const take = ({ record: { data } }: ShownRecord) => void taken.push(data.payload);
    const subscriber = { workspaceId: WORKSPACE_ID, take, readiness: () => null, reset() {} };
    watchers.add({ subscriber, from: null });
    const payload = {
      ...{ eventId: idFor('event', 'paid'), occurredAt: NOON.toISOString(), workspaceId: WORKSPACE_ID },
      ...{ invoiceId: 'in_1', amount: 1 },
    };
    const value = frame(1, JSON.stringify(payload));
    const record = { partition: 0, offset: 0, timestamp: 1, key: Buffer.from(WORKSPACE_ID), value };
    await watchers.give([{ ...record, headers: { ce_type: 'invoice.paid' } }], BEFORE);
    expect(taken).to.deep.equal([payload]);
  });
});
