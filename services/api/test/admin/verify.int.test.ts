import { randomBytes } from 'node:crypto';
import type { Delivery } from '@postrider/shared/domain/delivery';
import { newDelivery } from '@postrider/shared/domain/delivery';
import { type Endpoint, FAILURES_THAT_DISABLE, newEndpoint } from '@postrider/shared/domain/endpoint';
import { FIRST_LEVEL, NEWEST_LEVEL } from '@postrider/shared/domain/feature-level';
import { derivedId, type IdKind, type WorkspaceId } from '@postrider/shared/domain/id';
import type { Observation } from '@postrider/shared/domain/settle';
import { settleAll } from '@postrider/shared/domain/settle-all';
import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { toDeliveryDocument, toDocument } from '@postrider/shared/mongo/documents';
import { migrateMongo } from '@postrider/shared/mongo/migrate';
import { createSettlementStore } from '@postrider/shared/mongo/settlement-store';
import { fixedFeatureLevel } from '@postrider/shared/testing/fixed-feature-level';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { DifferenceKind } from '../../src/verify/difference.js';
import { runCommand } from './run-command.js';

const STEP_MS = 30_000;
const MINUTE_MS = 60_000;
const WORKSPACES = ['acme', 'other'] as const;
/** More than one slice of them is read. */
const DELIVERIES = 600;

/** Rows and endpoints as the services write them: every other POST of the first endpoint fails. */
describe('admin verify', () => {
  let database: Database;
  let env: Record<string, string>;
  let now: Date;
  const ago = (minutes: number) => new Date(now.getTime() - minutes * MINUTE_MS);
  const idOf = <Kind extends IdKind>(kind: Kind, name: string, at = ago(60)) => derivedId(kind, at, name);

  before(async () => {
    // Not when the file is loaded: the tests before this one take minutes.
    now = new Date();
    const uri = new URL(process.env.MONGODB_URI ?? 'mongodb://not-set-run-npm-test');
    uri.pathname = `/test_verify_${randomBytes(4).toString('hex')}`;
    env = { MONGODB_URI: uri.href, START_TIMEOUT: '5s' };
    database = await connectMongo(uri.href, 'test');
    await migrateMongo(database);
  });
  beforeEach(async () => {
    await Promise.all(Object.values(database.collections).map((collection) => collection.deleteMany({})));
    for (const name of WORKSPACES) await storeWorkspace(name);
  });
  after(async () => {
    await database?.db.dropDatabase();
    await database?.close();
  });

  async function storeWorkspace(name: string) {
    const id = idOf('workspace', name);
    const facts = { slug: name, name, plan: 'free' as const, createdAt: ago(60) };
    await database.collections.workspaces.insertOne({ _id: id, ...facts, guard: 0 });
    const endpoints = ['flaky', 'broken'].map((endpoint) => anEndpoint(`${name} ${endpoint}`, id));
    await database.collections.endpoints.insertMany(endpoints.map(toDocument));
    for (const endpoint of endpoints) {
      const count = name === 'acme' && endpoint === endpoints[0] ? DELIVERIES : 22;
      const rows = Array.from({ length: count }, (_, index) => aDelivery(endpoint, index));
      await database.collections.deliveries.insertMany(rows.map(toDeliveryDocument));
      const sent = endpoint.url.endsWith('broken') ? rows.slice(0, FAILURES_THAT_DISABLE) : rows;
      const observed = sent.map((row, index) => attempt(row, statusOf(endpoint, index)));
      // The attempts of the first level are stored beside their rows.
      const separate = name === 'acme' ? Math.min(observed.length, DELIVERIES / 2) : 0;
      await settle(observed.slice(0, separate), FIRST_LEVEL);
      await settle(observed.slice(separate));
    }
  }
  const statusOf = ({ url }: Endpoint, index: number) =>
    url.endsWith('broken') || index % 2 === 0 ? 404 : 200;
  function anEndpoint(name: string, workspaceId: WorkspaceId): Endpoint {
    return newEndpoint({
      id: idOf('endpoint', name),
      workspaceId,
      url: `https://hooks.example.com/${name}`,
      description: null,
      eventTypes: ['billing.plan_changed'],
      enabled: true,
      secret: { keyId: 'k1', nonce: '', box: '' },
      createdAt: ago(60),
    });
  }
  function aDelivery({ id: endpointId, workspaceId }: Endpoint, index: number): Delivery {
    const at = new Date(ago(50).getTime() + index);
    return newDelivery({
      id: idOf('delivery', `${endpointId} ${index}`, at),
      workspaceId,
      endpointId,
      eventType: 'billing.plan_changed',
      payload: {},
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      createdAt: at,
      dueAt: at,
    });
  }
  const attempt = ({ id, endpointId, createdAt }: Delivery, httpStatus: number): Observation => ({
    kind: 'attempt',
    deliveryId: id,
    endpointId,
    ordinal: 1,
    outcome: { kind: 'answered', httpStatus, responseBody: 'body' },
    attemptedAt: createdAt,
    endedAt: createdAt,
    durationMs: 0,
    requestHeaders: {},
  });
  async function settle(observations: readonly Observation[], level = NEWEST_LEVEL) {
    const clock = { now: () => now };
    const featureLevel = fixedFeatureLevel(level);
    const relay = { offer: () => {} };
    const store = createSettlementStore({ database, relay, clock, featureLevel, outboxClaimMs: 0 });
    await store.settle(observations, (stored) => settleAll(stored, observations, STEP_MS));
  }
  const verify = (...args: string[]) => runCommand(['verify', ...args], env);
  const flaky = () => idOf('endpoint', 'acme flaky');
  const broken = () => idOf('endpoint', 'acme broken');

  it('reports that there are no differences, and how much it read', async () => {
    const { code, out, err } = await verify();
    expect({ code, err }).to.deep.equal({ code: 0, err: '' });
    expect(out).to.equal('No differences in 4 endpoints, 666 deliveries and 662 attempts.');
    expect((await verify('--workspace', 'other')).out).to.equal(
      'No differences in 2 endpoints, 44 deliveries and 42 attempts.',
    );
    expect((await verify('--since', '1m')).out).to.equal(
      'No differences in 4 endpoints, 0 deliveries and 0 attempts.',
    );
  });

  it('finds no differences while deliveries are being settled', async () => {
    const rows = Array.from({ length: 60 }, (_, index) =>
      aDelivery(anEndpoint('acme flaky', idOf('workspace', 'acme')), 10_000 + index),
    );
    await database.collections.deliveries.insertMany(rows.map(toDeliveryDocument));
    let settling = true;
    const settled = (async () => {
      for (const [index, row] of rows.entries()) await settle([attempt(row, index % 3 === 0 ? 200 : 404)]);
      settling = false;
    })();
    const reports: unknown[] = [];
    while (settling) reports.push(JSON.parse((await verify('--json')).out).differences);
    await settled;
    expect(reports).to.have.length.above(1);
    expect(reports.flat()).to.deep.equal([]);
  });

  const deliveries = () => database.collections.deliveries;
  const attempts = () => database.collections.attempts;
  const endpoints = () => database.collections.endpoints;
  const auditEvents = () => database.collections.auditEvents;
  const failedRows = () => ({ endpointId: flaky(), status: 'failed_permanent' }) as const;
  const embeddedFailure = () => ({ ...failedRows(), records: { $exists: true } });
  const damages: readonly [string, DifferenceKind, () => Promise<unknown>][] = [
    [
      'a changed summary',
      'summary',
      () => deliveries().updateOne(failedRows(), { $set: { 'lastAttempt.httpStatus': 410 } }),
    ],
    ['a missing attempt', 'summary', () => attempts().deleteOne({ endpointId: flaky(), ordinal: 1 })],
    [
      'a missing attempt in a row',
      'summary',
      () => deliveries().updateOne(embeddedFailure(), { $pop: { records: 1 } }),
    ],
    [
      'a changed attempt in a row',
      'summary',
      () => deliveries().updateOne(embeddedFailure(), { $set: { 'records.0.httpStatus': 410 } }),
    ],
    [
      'a repeated attempt in a row',
      'history',
      () =>
        deliveries().updateOne(embeddedFailure(), [
          { $set: { records: { $concatArrays: ['$records', '$records'] } } },
        ]),
    ],
    [
      'a missing change of a streak in a row',
      'streak',
      () => deliveries().updateOne(embeddedFailure(), { $set: { 'records.0.streak': null } }),
    ],
    ['a missing delivery', 'owner', () => deliveries().deleteOne(failedRows())],
    [
      'a terminal delivery that is due',
      'due',
      () => deliveries().updateOne(failedRows(), { $set: { dueAt: now } }),
    ],
    [
      'a contradictory endpoint',
      'endpoint',
      () => endpoints().updateOne({ _id: flaky() }, { $set: { disabledReason: 'operator' } }),
    ],
    [
      'a changed streak',
      'streak',
      () => endpoints().updateOne({ _id: flaky() }, { $inc: { streakVersion: 1 } }),
    ],
    [
      'a missing change of a streak',
      'streak',
      () => attempts().updateOne({ endpointId: flaky(), 'streak.version': 100 }, { $set: { streak: null } }),
    ],
    [
      'a filter that is no JSON',
      'damaged',
      () => endpoints().updateOne({ _id: flaky() }, { $set: { filter: '{' as never } }),
    ],
    [
      'subscriptions that are no list',
      'damaged',
      () => endpoints().updateOne({ _id: flaky() }, { $set: { subscriptions: 'all' as never } }),
    ],
    [
      'a time of an endpoint that is a text',
      'damaged',
      () => endpoints().updateOne({ _id: flaky() }, { $set: { failingSince: 'today' as never } }),
    ],
    [
      'a time of a delivery that is a text',
      'damaged',
      () =>
        deliveries().updateOne(embeddedFailure(), { $set: { 'records.0.attemptedAt': 'today' as never } }),
    ],
    [
      'attempts in a row that are no list',
      'damaged',
      () => deliveries().updateOne(embeddedFailure(), { $set: { records: 'none' as never } }),
    ],
    ['a missing audit entry', 'disabling', () => auditEvents().deleteOne({ 'target.id': broken() })],
  ];
  for (const [name, kind, damage] of damages) {
    it(`reports ${name} when it checks everything or the workspace, and not for another workspace`, async () => {
      await damage();
      for (const args of [[], ['--workspace', 'acme']]) {
        if (name === 'a missing delivery' && args.length > 0) continue;
        const { code, out, err } = await verify('--json', ...args);
        const report = JSON.parse(out);
        expect([code, report.ok]).to.deep.equal([1, false]);
        expect(report.differences.map((one: { kind: string }) => one.kind)).to.include(kind);
        expect(err).to.match(/^error: \d+ differences in /);
      }
      expect((await verify('--workspace', 'other')).code).to.equal(0);
    });
  }

  // Regression: all later rows of other workspaces were read as well.
  it('reads the deliveries of the workspace alone', async () => {
    const more = (name: string, first: number, count: number) =>
      Array.from({ length: count }, (_, index) =>
        aDelivery(anEndpoint(`${name} flaky`, idOf('workspace', name)), first + index),
      );
    const rows = [...more('acme', DELIVERIES, 100), ...more('other', 2_000, 500)];
    await deliveries().insertMany(rows.map(toDeliveryDocument));
    const ns = `${database.db.databaseName}.deliveries`;
    const reads = await profiled(database.db, () => verify('--workspace', 'acme'), { ns });
    expect(reads.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0)).to.equal(
      DELIVERIES + 100 + 22,
    );
  });

  it('lists at most --limit differences and counts all', async () => {
    await attempts().updateMany({ endpointId: broken() }, { $set: { status: 'failed' } });
    const { code, out, err } = await verify('--limit', '3');
    expect(code).to.equal(1);
    expect(out.split('\n')).to.have.length(3);
    expect(out).to.match(/^history {2}whd_\w+ {2}record 1 has status "failed"/);
    expect(err).to.equal(
      'error: 20 differences in 4 endpoints, 666 deliveries and 662 attempts, 3 of them listed: history 20',
    );
  });

  it('reports deliveries that have been due for longer than --overdue', async () => {
    expect((await verify('--overdue', '10m')).err).to.match(/: overdue 4$/);
    expect((await verify('--overdue', '2h')).code).to.equal(0);
  });

  it('prints help and refuses invalid options', async () => {
    expect((await verify('--help')).out).to.include('$ admin verify --workspace acme');
    expect((await verify('--since', 'soon')).code).to.equal(2);
    const nowhere = await verify('--workspace', 'nowhere');
    expect([nowhere.code, nowhere.err]).to.deep.equal([2, 'error: there is no workspace "nowhere"']);
  });
});
