import type { Delivery } from '@postrider/shared/domain/delivery';
import { HOUR_MS } from '@postrider/shared/domain/stat-hours';
import { createRecountStore } from '@postrider/shared/mongo/recount-store';
import { createAddStats, statsId } from '@postrider/shared/mongo/stats-store';
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

  const run = (now: Date, budgetMs = 60_000) =>
    recountStats({
      store: createRecountStore(database),
      clock: { now: () => now },
      retentionMs: 30 * DAY_MS,
      budgetMs,
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

  it('continues behind the workspaces that an unfinished run has handled', async () => {
    await database.store({ deliveries: [rowAt(NOON, 'delivered')] });
    expect(await run(later(2 * HOUR_MS), -1)).to.equal(0);
    expect(await run(later(2 * HOUR_MS))).to.equal(2);
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
