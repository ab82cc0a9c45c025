import type { Delivery } from '@postrider/shared/domain/delivery';
import { stepsOfRow } from '@postrider/shared/domain/delivery-stats';
import { DAY_MS, HOUR_MS } from '@postrider/shared/domain/durations';
import type { EndpointId } from '@postrider/shared/domain/id';
import { addSteps, type HourCounts } from '@postrider/shared/domain/stat-hours';
import { toDocument } from '@postrider/shared/mongo/documents';
import { createRecountStore } from '@postrider/shared/mongo/recount-store';
import { createAddStats, statsId } from '@postrider/shared/mongo/stats-store';
import type { RecountPosition, RowSlice } from '@postrider/shared/ports/delivery-stats';
import {
  aDelivery,
  aLastAttempt,
  anAttempt,
  anEndpoint,
  aTerminalDelivery,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  WORKSPACE_ID,
} from '@postrider/shared/testing/builders';
import { collect } from '@postrider/shared/testing/collect';
import { profiled } from '@postrider/shared/testing/profiled';
import { type TestDatabase, testDatabase } from '@postrider/shared/testing/test-database';
import { aWorkspace } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import { closedHours } from '../src/closed-hours.js';
import { type RecountParts, recountStats } from '../src/recount-stats.js';

const OTHER = idFor('endpoint', 'other');
const OTHER_WORKSPACE = idFor('workspace', 'other');
const OTHERS = idFor('endpoint', "of another's");
/** More endpoints of a workspace than are read at once. */
const MANY = 10_050;

describe('recounting deliveries', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database?.drop());
  beforeEach(async () => {
    await database.clear();
    const workspaces = [WORKSPACE_ID, OTHER_WORKSPACE].map((id) => aWorkspace({ id, slug: id }));
    await database.collections.workspaces.insertMany(
      workspaces.map((workspace) => ({ ...toDocument(workspace), guard: 0 })),
    );
    await database.store({
      endpoints: [
        anEndpoint(),
        anEndpoint({ id: OTHER }),
        anEndpoint({ id: OTHERS, workspaceId: OTHER_WORKSPACE }),
      ],
    });
  });

  /** @returns how many hours were replaced */
  const run = async (now: Date, parts: Partial<RecountParts> = {}) => {
    const { handled } = await recountStats({
      store: createRecountStore(database),
      clock: { now: () => now },
      monotonicMs: () => performance.now(),
      retentionMs: 30 * DAY_MS,
      budgetMs: 60_000,
      log: { debug() {}, info() {}, warn() {}, error() {} },
      ...parts,
    });
    return handled;
  };
  let made = 0;
  const rowAt = (at: Date, status: 'delivered' | 'failed_permanent', of: Partial<Delivery> = {}) => {
    made += 1;
    const lastAttempt = aLastAttempt({ attemptedAt: at, durationMs: 20 });
    const id = idFor('delivery', String(made), at);
    return { ...aTerminalDelivery(status), id, createdAt: at, lastAttempt, ...of } as Delivery;
  };
  const countsAt = async (owner: string, at: Date) => {
    const { endpointStats, workspaceStats } = database.collections;
    const _id = statsId(owner, at);
    const found = (await endpointStats.findOne({ _id })) ?? (await workspaceStats.findOne({ _id }));
    if (found === null) return null;
    const { _id: _, hour, version: __, latency, late: ___, ...counts } = found;
    expect(hour.getTime() % HOUR_MS).to.equal(0);
    return { ...counts, latency: latency ?? {} };
  };

  it('adds what is missing and corrects what differs, for endpoints and workspaces', async () => {
    await database.store({
      deliveries: [
        rowAt(NOON, 'delivered'),
        rowAt(later(10_000), 'failed_permanent'),
        rowAt(later(20_000), 'delivered', { endpointId: OTHER }),
        rowAt(later(30_000), 'delivered', { endpointId: OTHERS, workspaceId: OTHER_WORKSPACE }),
        { ...aDelivery({ id: idFor('delivery', 'pending') }) },
      ],
    });
    const wrong = { hour: NOON, fields: new Map([['delivered', 7]]) };
    await createAddStats(database.collections)({
      endpoints: [{ owner: ENDPOINT_ID, ...wrong }],
      workspaces: [{ owner: WORKSPACE_ID, ...wrong }],
    });
    expect(await run(later(2 * HOUR_MS))).to.equal(5);
    const one = { delivered: 1, attempts: 1, latency: { 13: 1 } };
    expect(await countsAt(ENDPOINT_ID, NOON)).to.deep.equal({
      delivered: 1,
      failedPermanent: 1,
      attempts: 2,
      latency: { 13: 2 },
    });
    expect(await countsAt(OTHER, NOON)).to.deep.equal(one);
    expect(await countsAt(WORKSPACE_ID, NOON)).to.deep.equal({
      delivered: 2,
      failedPermanent: 1,
      attempts: 3,
      latency: { 13: 3 },
    });
    expect(await countsAt(OTHER_WORKSPACE, NOON)).to.deep.equal(one);
    expect(await run(later(2 * HOUR_MS)), 'a second run').to.equal(0);
  });

  // Regression: a run ended at such a row, and the next one at the same row.
  it('skips rows that it cannot read, and counts the others', async () => {
    const [missing, invalid, unknown, good] = [1, 2, 3, 4].map((n) => rowAt(later(n * 1_000), 'delivered'));
    const bad = [missing!, invalid!, unknown!];
    await database.store({
      deliveries: [...bad, good!, rowAt(NOON, 'delivered', { endpointId: OTHER })],
    });
    const { deliveries } = database.collections;
    await deliveries.updateOne({ _id: missing!.id }, { $unset: { createdAt: 1 } });
    await deliveries.updateOne({ _id: invalid!.id }, { $set: { 'lastAttempt.durationMs': 'long' as never } });
    await deliveries.updateOne({ _id: unknown!.id }, { $unset: { status: 1 } });
    const lines: object[] = [];
    const note = (facts: object) => void lines.push(facts);
    await run(later(2 * HOUR_MS), { log: { debug() {}, info: note, warn: note, error() {} } });
    expect(await countsAt(ENDPOINT_ID, NOON)).to.include({ delivered: 1 });
    expect(await countsAt(OTHER, NOON)).to.include({ delivered: 1 });
    expect(await countsAt(WORKSPACE_ID, NOON)).to.include({ delivered: 2 });
    expect(lines.flatMap((line) => ('deliveryId' in line ? [line.deliveryId] : []))).to.have.members(
      bad.map(({ id }) => id),
    );
    expect(lines.at(-1)).to.include({ event: 'stats.recounted', replaced: 3, skipped: 3 });
  });

  // Regression: a run ended at such an hour, and the next one at the same hour.
  it('skips hours that the database rejects, and replaces the others', async () => {
    await database.store({
      deliveries: [rowAt(NOON, 'delivered'), rowAt(NOON, 'delivered', { endpointId: OTHER })],
    });
    const collMod = database.collections.endpointStats.collectionName;
    const rejected = statsId(ENDPOINT_ID, NOON);
    await database.db.command({ collMod, validator: { _id: { $ne: rejected } } });
    const lines: object[] = [];
    const note = (facts: object) => void lines.push(facts);
    try {
      await run(later(2 * HOUR_MS), { log: { debug() {}, info: note, warn: note, error() {} } });
    } finally {
      await database.db.command({ collMod, validator: {} });
    }
    expect(await countsAt(OTHER, NOON)).to.include({ delivered: 1 });
    expect(await countsAt(WORKSPACE_ID, NOON)).to.include({ delivered: 2 });
    expect(lines[0]).to.include({ event: 'stats.skipped', hour: rejected });
    expect(lines[1]).to.include({ event: 'stats.recounted', replaced: 2, skipped: 1 });
    expect(await run(later(2 * HOUR_MS)), 'the next run').to.equal(1);
  });

  it('leaves open hours and those before the last two days alone, and removes what is older than the retention', async () => {
    const now = later(DAY_MS);
    const { from, before } = closedHours(now, 30 * DAY_MS);
    const old = later(-40 * DAY_MS);
    await database.store({ deliveries: [rowAt(before, 'delivered'), rowAt(later(-30, from), 'delivered')] });
    const fields = new Map([['delivered', 1]]);
    await createAddStats(database.collections)({
      endpoints: [{ owner: ENDPOINT_ID, hour: old, fields }],
      workspaces: [],
    });
    expect(await run(now)).to.equal(0);
    expect(await database.collections.endpointStats.countDocuments()).to.equal(0);
  });

  // Regression: the third run removed the counts of what came more than a day after the event.
  it('keeps what was counted of deliveries that took longer than a day', async () => {
    const ordinals = [0, 2, 6, 12, 20, 30, 42];
    const records = ordinals.map((hours, index) =>
      anAttempt({ ordinal: index + 1, attemptedAt: later(hours * HOUR_MS), durationMs: 20 }),
    );
    const last = records.at(-1)!.attemptedAt;
    const row = { ...aTerminalDelivery('dead_lettered'), lastAttempt: aLastAttempt({ attemptedAt: last }) };
    const end = { ...records.at(-1)!, failureReason: 'retries_exhausted', durationMs: null } as const;
    await database.store({ deliveries: [row, rowAt(last, 'delivered')] });
    await database.collections.deliveries.updateOne(
      { _id: row.id },
      { $set: { records: [...records, { ...end, ordinal: 8 }] as never } },
    );
    const hours = new Map<number, HourCounts>();
    addSteps(hours, stepsOfRow(row, [...records, end]));
    const changes = [...hours.values()];
    await createAddStats(database.collections)({
      endpoints: changes.map((counts) => ({ owner: ENDPOINT_ID, ...counts })),
      workspaces: changes.map((counts) => ({ owner: WORKSPACE_ID, ...counts })),
    });
    for (const night of [1, 2, 3]) await run(later(night * DAY_MS + 14 * HOUR_MS));
    for (const owner of [ENDPOINT_ID, WORKSPACE_ID]) {
      const counted = await Promise.all(ordinals.map((hour) => countsAt(owner, later(hour * HOUR_MS))));
      expect(counted.map((counts) => counts?.attempts)).to.deep.equal([1, 1, 1, 1, 1, 1, 2]);
      expect(counted.at(-1)).to.deep.include({ deadLettered: 1, delivered: 1, latency: { 13: 2 } });
    }
  });

  it('lists endpoints behind a position, in pages of one workspace', async () => {
    const store = createRecountStore(database);
    const third = idFor('endpoint', 'third');
    await database.store({ endpoints: [anEndpoint({ id: third })] });
    const own = [ENDPOINT_ID, OTHER, third].sort();
    const pages = async (after: RecountPosition | null, limit: number) =>
      (await collect(store.endpoints({ after, deletedFrom: NOON, limit }))).map(
        ({ endpointIds }) => endpointIds,
      );
    const isFirst = WORKSPACE_ID < OTHER_WORKSPACE;
    const tally = { stored: new Map(), counted: new Map() };
    const unfinished = { span: { from: NOON, before: NOON }, tally, endpoint: null };
    const withOthers = (ids: readonly EndpointId[]) => (isFirst ? [ids, [OTHERS]] : [ids]);
    expect(await pages(null, 100)).to.have.deep.members([own, [OTHERS]]);
    expect(await pages(null, 2)).to.have.deep.members([own.slice(0, 2), own.slice(2), [OTHERS]]);
    for (const [position, expected] of [
      [{ endpointId: null, unfinished: null }, isFirst ? [[OTHERS]] : []],
      [{ endpointId: null, unfinished }, withOthers(own)],
      [{ endpointId: own[0]!, unfinished }, withOthers(own.slice(1))],
    ] as const) {
      await store.savePosition({ workspaceId: WORKSPACE_ID, ...position });
      expect(await pages(await store.position(), 100)).to.deep.equal(expected);
    }
    await store.savePosition(null);
    expect(await store.position()).to.equal(null);
  });

  // Regression: a cursor stayed open while the rows of a page were counted. After half an hour its session had expired.
  it('lists endpoints without a cursor that stays open between two pages', async () => {
    await database.store({
      endpoints: Array.from({ length: MANY }, (_, n) => anEndpoint({ id: idFor('endpoint', `${n}`) })),
    });
    const { endpoints } = createRecountStore(database);
    const admin = database.client.db('admin');
    const openCursors = { $match: { type: 'idleCursor', ns: `${database.db.databaseName}.endpoints` } };
    const found: string[] = [];
    for await (const { endpointIds } of endpoints({ after: null, deletedFrom: NOON, limit: 100 })) {
      found.push(...endpointIds);
      const open = await admin.aggregate([{ $currentOp: { idleCursors: true } }, openCursors]).toArray();
      expect(open, `after ${found.length}`).to.deep.equal([]);
    }
    expect([found.length, new Set(found).size]).to.deep.equal([MANY + 3, MANY + 3]);
  });

  // Regression: all endpoints that were deleted within the retention were recounted.
  it('leaves out endpoints that were deleted before a time, without reading them', async () => {
    const deleted = anEndpoint({ id: idFor('endpoint', 'deleted'), deletedAt: later(1) });
    const old = Array.from({ length: 50 }, (_, n) =>
      anEndpoint({ id: idFor('endpoint', `old ${n}`), deletedAt: later(-1 - n) }),
    );
    await database.store({ endpoints: [deleted, ...old] });
    const { endpoints } = createRecountStore(database);
    const operations = await profiled(database.db, async () => {
      const pages = await collect(endpoints({ after: null, deletedFrom: NOON, limit: 100 }));
      expect(pages.flatMap(({ endpointIds }) => endpointIds)).to.have.members([
        ENDPOINT_ID,
        OTHER,
        OTHERS,
        deleted.id,
      ]);
    });
    const found = operations.filter(({ ns }) => ns.endsWith('.endpoints'));
    expect(found.map(({ docsExamined }) => docsExamined)).to.deep.equal([0, 0, 0]);
    expect(Math.max(...found.map(({ keysExamined = 0 }) => keysExamined))).to.be.at.most(8);
  });

  it('continues where a run of the day before stopped', async () => {
    await database.store({ deliveries: [rowAt(NOON, 'delivered')] });
    await createRecountStore(database).savePosition({
      workspaceId: WORKSPACE_ID,
      endpointId: null,
      unfinished: null,
    });
    expect(await run(later(2 * HOUR_MS)), 'behind the workspace with the row').to.equal(0);
    expect(await run(later(26 * HOUR_MS)), 'from the beginning').to.equal(2);
  });

  it('replaces no hour that has changed since it was read', async () => {
    const store = createRecountStore(database);
    const span = closedHours(later(2 * HOUR_MS), 30 * DAY_MS);
    const counted = new Map([[NOON.getTime(), { hour: NOON, fields: new Map([['delivered', 5]]) }]]);
    const add = createAddStats(database.collections);
    const change = { owner: WORKSPACE_ID, hour: NOON, fields: new Map([['delivered', 1]]) };
    await add({ endpoints: [], workspaces: [change] });
    const stored = await store.workspaceHours(WORKSPACE_ID, span);
    await add({ endpoints: [], workspaces: [change] });
    expect(await store.replaceWorkspace(WORKSPACE_ID, { stored, counted }, span)).to.deep.equal({
      replaced: 0,
      rejected: [],
    });
    expect(await countsAt(WORKSPACE_ID, NOON)).to.include({ delivered: 2 });
  });

  describe('of an endpoint with more rows than a run counts', () => {
    const ROWS = 35_000;
    const NIGHT = later(2 * HOUR_MS);
    /** The time of the run is up after the first slice of rows. */
    const stopped = (): Partial<RecountParts> => {
      const store = createRecountStore(database);
      let now = NIGHT;
      const countRows = (slice: RowSlice) => {
        now = later(60_000, now);
        return store.countRows(slice);
      };
      return { store: { ...store, countRows }, monotonicMs: () => now.getTime(), budgetMs: 30_000 };
    };
    const reached = async () => {
      const position = await createRecountStore(database).position();
      return position?.unfinished?.endpoint?.reached ?? null;
    };
    beforeEach(async () => {
      const rows = Array.from({ length: ROWS }, () => rowAt(NOON, 'delivered'));
      for (let from = 0; from < ROWS; from += 5_000)
        await database.store({ deliveries: rows.slice(from, from + 5_000) });
      await database.store({ deliveries: [rowAt(NOON, 'delivered', { endpointId: OTHER })] });
    });

    // Regression: all rows of an endpoint were read before anything was stored, so that each run was ended at the same place.
    it('continues within it after runs that were stopped or killed, and counts each row once', async () => {
      await run(NIGHT, stopped());
      const first = await reached();
      expect(first).to.be.a('string');
      const store = createRecountStore(database);
      let slices = 0;
      const dying = {
        ...store,
        async countRows(slice: RowSlice) {
          slices += 1;
          if (slices === 2) throw new Error('killed');
          return store.countRows(slice);
        },
      };
      const killed = await run(NIGHT, { store: dying }).catch((error: Error) => error.message);
      expect(killed).to.equal('killed');
      const second = await reached();
      expect(second! > first!).to.equal(true);
      const operations = await profiled(database.db, () => run(later(DAY_MS, NIGHT)));
      expect(Math.max(...operations.map(({ docsExamined = 0 }) => docsExamined))).to.be.at.most(10_000);
      expect(await countsAt(ENDPOINT_ID, NOON)).to.include({ delivered: ROWS });
      expect(await countsAt(WORKSPACE_ID, NOON)).to.include({ delivered: ROWS + 1 });
      expect(await store.position()).to.equal(null);
    });

    it('does not replace an hour that changed between two runs', async () => {
      const add = createAddStats(database.collections);
      const fields = new Map([['delivered', 1]]);
      await add({ endpoints: [{ owner: ENDPOINT_ID, hour: NOON, fields }], workspaces: [] });
      await run(NIGHT, stopped());
      await add({
        endpoints: [{ owner: ENDPOINT_ID, hour: NOON, fields }],
        workspaces: [{ owner: WORKSPACE_ID, hour: NOON, fields }],
      });
      await run(NIGHT);
      expect(await countsAt(ENDPOINT_ID, NOON)).to.include({ delivered: 2 });
      expect(await countsAt(WORKSPACE_ID, NOON), 'stored since').to.include({ delivered: 1 });
    });
  });
});
