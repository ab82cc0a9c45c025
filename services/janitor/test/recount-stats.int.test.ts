import type { Delivery } from '@postrider/shared/domain/delivery';
import type { EndpointId } from '@postrider/shared/domain/id';
import { HOUR_MS } from '@postrider/shared/domain/stat-hours';
import { createRecountStore } from '@postrider/shared/mongo/recount-store';
import { createAddStats, statsId } from '@postrider/shared/mongo/stats-store';
import type { RecountPosition } from '@postrider/shared/ports/delivery-stats';
import {
  aDelivery,
  aLastAttempt,
  anEndpoint,
  aTerminalDelivery,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  WORKSPACE_ID,
} from '@postrider/shared/testing/builders';
import { collect } from '@postrider/shared/testing/collect';
import { type TestDatabase, testDatabase } from '@postrider/shared/testing/test-database';
import { expect } from 'chai';
import { closedHours, recountStats } from '../src/recount-stats.js';

const DAY_MS = 24 * HOUR_MS;
const OTHER = idFor('endpoint', 'other');
const OTHER_WORKSPACE = idFor('workspace', 'other');
const OTHERS = idFor('endpoint', "of another's");

describe('recounting deliveries', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database?.drop());
  beforeEach(async () => {
    await database.clear();
    await database.store({
      endpoints: [
        anEndpoint(),
        anEndpoint({ id: OTHER }),
        anEndpoint({ id: OTHERS, workspaceId: OTHER_WORKSPACE }),
      ],
    });
  });

  const run = (now: Date) =>
    recountStats({
      store: createRecountStore(database),
      clock: { now: () => now },
      retentionMs: 30 * DAY_MS,
      budgetMs: 60_000,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    });
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
    const { _id: _, hour, version: __, latency, ...counts } = found;
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

  it('lists endpoints behind a position, in pages of one workspace', async () => {
    const store = createRecountStore(database);
    const third = idFor('endpoint', 'third');
    await database.store({ endpoints: [anEndpoint({ id: third })] });
    const own = [ENDPOINT_ID, OTHER, third].sort();
    const pages = async (after: RecountPosition | null, limit: number) =>
      (await collect(store.endpoints({ after, limit }))).map(({ endpointIds }) => endpointIds);
    const isFirst = WORKSPACE_ID < OTHER_WORKSPACE;
    const withOthers = (ids: readonly EndpointId[]) => (isFirst ? [ids, [OTHERS]] : [ids]);
    expect(await pages(null, 100)).to.have.deep.members([own, [OTHERS]]);
    expect(await pages(null, 2)).to.have.deep.members([own.slice(0, 2), own.slice(2), [OTHERS]]);
    for (const [endpointId, expected] of [
      [null, isFirst ? [[OTHERS]] : []],
      [own[0]!, withOthers(own.slice(1))],
    ] as const) {
      await store.savePosition({ workspaceId: WORKSPACE_ID, endpointId });
      expect(await pages(await store.position(), 100)).to.deep.equal(expected);
    }
    await store.savePosition(null);
    expect(await store.position()).to.equal(null);
  });

  it('continues where a run of the day before stopped', async () => {
    await database.store({ deliveries: [rowAt(NOON, 'delivered')] });
    await createRecountStore(database).savePosition({ workspaceId: WORKSPACE_ID, endpointId: null });
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
    expect(await store.replaceWorkspace(WORKSPACE_ID, { stored, counted, span })).to.equal(0);
    expect(await countsAt(WORKSPACE_ID, NOON)).to.include({ delivered: 2 });
  });
});
