import type { StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import type { PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { frame } from '@postrider/shared/kafka/wire-format';
import { idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { createEventReader } from '../../src/streams/stream-record-readers.js';

const OTHER_WORKSPACE = idFor('workspace', 'other');
const PAYLOAD = {
  eventId: idFor('event', 'plan changed'),
  occurredAt: NOON.toISOString(),
  workspaceId: WORKSPACE_ID,
  previousPlan: 'free',
  plan: 'team',
};

const INVOICE = { invoiceId: 'in_1', amount: 1 };
const readerOf = (...types: readonly StoredEventType[]) =>
  createEventReader({ catalogue: fixedCatalogue(types), monotonicMs: () => 0, sleep: async () => {} });
const reader = readerOf(anEventType());
const shown = (record: PartitionRecord) => reader.read(record, 0).shown;

function aRecord(key: string | null, json: string, type = 'billing.plan_changed') {
  return {
    ...{ partition: 0, offset: 0, timestamp: 0, key: key === null ? null : Buffer.from(key) },
    ...{ value: frame(1, json), headers: { ce_type: type } },
  };
}

describe('records of events for streams', () => {
  const texts = {
    compact: JSON.stringify(PAYLOAD),
    spaced: JSON.stringify(PAYLOAD, null, 1),
    tabulated: JSON.stringify(PAYLOAD, null, '\t').replaceAll(': ', ':\t'),
  };
  for (const [name, text] of Object.entries(texts))
    for (const key of [WORKSPACE_ID, OTHER_WORKSPACE, 'team', '', null])
      it(`belong to the workspace of their payload (key ${key}, ${name} JSON)`, () => {
        const record = aRecord(key, text);
        expect(reader.workspaceOf(record)).to.equal(WORKSPACE_ID);
        expect(shown(record)?.data).to.deep.include({ eventId: PAYLOAD.eventId, payload: PAYLOAD });
      });

  it('belong to the workspace of their payload although a part of it names the one of their key', () => {
    const record = aRecord(
      OTHER_WORKSPACE,
      JSON.stringify({ ...PAYLOAD, from: { workspaceId: OTHER_WORKSPACE } }),
    );
    expect(reader.workspaceOf(record)).to.equal(WORKSPACE_ID);
    expect(shown(record)?.data.eventId).to.equal(PAYLOAD.eventId);
  });

  // Regression: every process with a stream decoded such events of all workspaces.
  it('are not decoded to find their workspace if they begin as the api writes them', () => {
    const rest = ',"from":{"workspaceId":"team"';
    const { eventId, occurredAt, workspaceId } = PAYLOAD;
    const begun = JSON.stringify({ eventId, occurredAt, workspaceId }).slice(0, -1);
    expect(reader.workspaceOf(aRecord(WORKSPACE_ID, begun + rest))).to.equal(WORKSPACE_ID);
    for (const [key, json] of [
      [OTHER_WORKSPACE, begun + rest],
      [WORKSPACE_ID, begun.replace('"eventId"', '"of":{"eventId"') + rest],
      [WORKSPACE_ID, begun.replace('"occurredAt"', '"name":"","occurredAt"') + rest],
    ] as const)
      expect(reader.workspaceOf(aRecord(key, json))).to.equal(null);
  });

  it('are shown to none if they name two workspaces', () => {
    const twice = `${texts.compact.slice(0, -1)},"workspaceId":"${OTHER_WORKSPACE}"}`;
    expect(shown(aRecord(WORKSPACE_ID, twice))).to.equal(null);
  });

  // Regression: to write such a record exceeded the stack.
  it('are left out if they are nested deeper than a message may be', () => {
    const { read } = readerOf(anEventType({ schema: { type: 'object', additionalProperties: true } }));
    const json = (depth: number) =>
      JSON.stringify({ ...PAYLOAD, list: 'LIST' }).replace('"LIST"', '['.repeat(depth) + ']'.repeat(depth));
    expect(read(aRecord(WORKSPACE_ID, json(999), 'invoice.paid'), 0).shown).to.not.equal(null);
    for (const depth of [1_000, 400_000])
      expect(read(aRecord(WORKSPACE_ID, json(depth), 'invoice.paid'), 0).shown).to.equal(null);
  });

  it('have the time in UTC with milliseconds, as webhooks do', () => {
    const occurredAt = NOON.toISOString().replace('12:00:00.000Z', '14:00:00+02:00');
    for (const [type, fields] of Object.entries({ 'billing.plan_changed': {}, 'invoice.paid': INVOICE })) {
      const record = aRecord(WORKSPACE_ID, JSON.stringify({ ...PAYLOAD, ...fields, occurredAt }), type);
      const { data } = shown(record) ?? {};
      expect(data?.occurredAt).to.equal(NOON.toISOString());
      expect(data?.payload).to.deep.include({ occurredAt: NOON.toISOString() });
      const without = aRecord(
        WORKSPACE_ID,
        JSON.stringify({ ...PAYLOAD, ...fields, occurredAt: '2026-03-01T12:00' }),
        type,
      );
      expect(shown(without)).to.equal(null);
    }
  });

  for (const [name, text] of Object.entries({
    'no JSON': '{',
    'no object': '[]',
    'no workspace': JSON.stringify({ ...PAYLOAD, workspaceId: undefined }),
    'a workspace that is no text': JSON.stringify({ ...PAYLOAD, workspaceId: 7 }),
  }))
    it(`are shown to none if they have ${name}`, () => {
      const record = aRecord(OTHER_WORKSPACE, text);
      expect(reader.workspaceOf(record)).to.equal(null);
      expect(shown(record)).to.equal(null);
    });
});

describe('records of events that newer definitions may be needed for', () => {
  /** A catalogue that gets new definitions only by a refresh, and a clock that sleeping advances. */
  function aWorld(...known: readonly StoredEventType[]) {
    const catalogue = fixedCatalogue(known);
    const world = { now: 10_000, newest: known, isAway: false, refreshes: [] as number[] };
    const reader = createEventReader({
      catalogue: {
        current: catalogue.current,
        async refresh() {
          world.refreshes.push(world.now);
          if (world.isAway) throw new Error('away');
          catalogue.set(world.newest);
          return catalogue.current();
        },
      },
      monotonicMs: () => world.now,
      sleep: async (ms) => {
        world.now += ms;
      },
    });
    return Object.assign(world, { read: reader.read });
  }
  const invoice = (fields: object = INVOICE, type = 'invoice.paid') =>
    aRecord(WORKSPACE_ID, JSON.stringify({ ...PAYLOAD, ...fields }), type);
  const ONLY_ID = anEventType({ schema: { type: 'object', properties: { invoiceId: { type: 'string' } } } });

  it('are read again once their type is known', async () => {
    const world = aWorld();
    world.newest = [anEventType()];
    const first = world.read(invoice(), world.now);
    expect(first.shown).to.equal(null);
    await first.refresh?.();
    const { shown, refresh } = world.read(invoice(), world.now);
    expect(shown?.data.payload).to.deep.include(INVOICE);
    // The fields of another type are dropped by this definition, which was just read.
    expect(refresh).to.equal(null);
  });

  it('are read again with the fields that a newer definition has', async () => {
    const world = aWorld(ONLY_ID);
    world.newest = [anEventType()];
    const first = world.read(invoice(), world.now);
    expect(first.shown?.data.payload).not.to.have.property('amount');
    await first.refresh?.();
    expect(world.read(invoice(), world.now).shown?.data.payload).to.deep.include(INVOICE);
  });

  it('cause at most one refresh a second, however many there are and whether or not it succeeds', async () => {
    for (const isAway of [false, true]) {
      const world = aWorld(ONLY_ID);
      world.isAway = isAway;
      for (let n = 0; n < 200; n += 1) {
        const { refresh } = world.read(invoice({}, n % 2 === 0 ? `made.up_${n}` : 'invoice.paid'), world.now);
        await refresh?.();
        world.now += 100;
      }
      const distances = world.refreshes.slice(1).map((at, index) => at - world.refreshes[index]!);
      expect(Math.min(...distances)).to.equal(1_000);
      expect(world.refreshes.length).to.be.greaterThan(10);
    }
  });

  it('need no refresh that began after they were received', async () => {
    const world = aWorld();
    const receivedAt = world.now;
    await world.read(invoice(), receivedAt).refresh?.();
    expect(world.read(invoice({}, 'made.up'), receivedAt)).to.deep.equal({ shown: null, refresh: null });
    expect(world.read(invoice({}, 'made.up'), receivedAt + 1).refresh).not.to.equal(null);
  });

  it('wait for no refresh if they lose fields by definitions of the same second', async () => {
    const world = aWorld(ONLY_ID);
    await world.read(invoice(), world.now).refresh?.();
    expect(world.read(invoice(), world.now + 1_000).refresh).to.equal(null);
    expect(world.read(invoice(), world.now + 1_001).refresh).not.to.equal(null);
  });

  for (const [name, record] of Object.entries({
    'of a built-in type': aRecord(WORKSPACE_ID, JSON.stringify({ ...PAYLOAD, plan: 7 })),
    'without the id of an event': invoice({ eventId: 7 }),
    'without a time': invoice({ occurredAt: 'soon' }),
    'that lose nothing': aRecord(
      WORKSPACE_ID,
      JSON.stringify({ ...PAYLOAD, previousPlan: undefined, plan: undefined, ...INVOICE }),
      'invoice.paid',
    ),
  }))
    it(`are none ${name}`, () => {
      const world = aWorld(anEventType());
      expect(world.read(record, world.now).refresh).to.equal(null);
    });
});
