import { expect } from 'chai';
import { deadLetterAll } from '../../src/domain/dead-letter-all.js';
import { settleAll } from '../../src/domain/settle-all.js';
import { backlog } from '../../src/mongo/backlog.js';
import { deadLetterStore } from '../../src/mongo/dead-letter-store.js';
import { deliveryReads } from '../../src/mongo/delivery-reads.js';
import { digestStore } from '../../src/mongo/digest-store.js';
import { directory } from '../../src/mongo/directory.js';
import { toAttemptDocument, toDocument } from '../../src/mongo/documents.js';
import { endpointReads } from '../../src/mongo/endpoint-reads.js';
import { fanOutStore } from '../../src/mongo/fan-out-store.js';
import { history } from '../../src/mongo/history.js';
import { newestFirst } from '../../src/mongo/list-reads.js';
import { outboxStore } from '../../src/mongo/outbox-store.js';
import { settlementStore } from '../../src/mongo/settlement-store.js';
import { systemStats } from '../../src/mongo/system-stats.js';
import {
  aDelivery,
  aFailedDelivery,
  anAttempt,
  anAttemptObservation,
  anEndpoint,
  answered,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';
import { profiled } from '../../src/testing/profiled.js';
import { offers, type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { aNotification, anApiToken, anAuditEvent, aWorkspace } from '../../src/testing/workspace-builders.js';

const ROWS = 40;
const deliveryId = (n: number) => idFor('delivery', `${n}`, later(n));
const EXHAUSTED = idFor('delivery', 'exhausted');

/** All that a query could stumble over: rows of several endpoints, workspaces, moments and states. */
async function fill({ collections, store }: TestDatabase): Promise<void> {
  const endpoints = Array.from({ length: ROWS }, (_, n) =>
    anEndpoint({ id: idFor('endpoint', `${n}`), enabled: n % 2 === 0, deletedAt: n % 5 === 0 ? NOON : null }),
  );
  const deliveries = Array.from({ length: ROWS }, (_, n) => {
    const facts = { id: deliveryId(n), createdAt: later(n) };
    return n % 2 === 0 ? aDelivery(facts) : aFailedDelivery(1, facts);
  });
  const exhausted = aFailedDelivery(7, { id: EXHAUSTED });
  await store({ endpoints: [anEndpoint(), ...endpoints], deliveries: [...deliveries, exhausted] });
  const attempted = deliveries.filter(({ attempts }) => attempts > 0);
  const evidence = attempted.map(({ id }) => toAttemptDocument(anAttempt({ deliveryId: id })));
  await collections.attempts.insertMany(evidence);
  const dated = (kind: 'notification' | 'audit', n: number) => ({
    id: idFor(kind, `${n}`),
    createdAt: later(n),
  });
  for (let n = 0; n < ROWS; n += 1) {
    await collections.notifications.insertOne(toDocument(aNotification(dated('notification', n))));
    await collections.auditEvents.insertOne(toDocument(anAuditEvent(dated('audit', n))));
  }
  await collections.workspaces.insertOne({ ...toDocument(aWorkspace()), guard: 0 });
  await collections.apiTokens.insertOne(toDocument(anApiToken()));
}

describe('every query', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
    await fill(database);
  });
  after(() => database.drop());

  const clock = { now: () => NOON };
  const writing = () => ({ database, relay: offers().relay, clock, outboxClaimMs: 0 });
  const failures = [2, 4, 6].map((n) =>
    anAttemptObservation({ deliveryId: deliveryId(n), outcome: answered(500) }),
  );
  const exhausted = [{ deliveryId: EXHAUSTED, endpointId: ENDPOINT_ID }];
  const page = { after: { createdAt: later(9), id: idFor('audit', '9') }, limit: 5 };
  const slice = {
    status: null,
    eventType: null,
    createdAfter: null,
    createdBefore: null,
    after: null,
    limit: 5,
  };

  const QUERIES: Readonly<Record<string, () => Promise<unknown>>> = {
    'settlement: read': () =>
      settlementStore(writing()).read({ deliveryIds: [deliveryId(1)], endpointIds: [ENDPOINT_ID] }),
    'settlement: settle': () =>
      settlementStore(writing()).settle(failures, (stored) => settleAll(stored, failures, 30_000)),
    'settlement: postpone': () =>
      settlementStore(writing()).postponeDeadLetter([deliveryId(1)], later(9_000)),
    'burial: bury': () =>
      deadLetterStore(writing()).bury(exhausted, (stored) => deadLetterAll(stored, exhausted, NOON)),
    'backlog: due': () => backlog(database.collections).due(ENDPOINT_ID, later(99_000), 5),
    'backlog: overdue': () => backlog(database.collections).overdueEndpoints(later(99_000)),
    'fan-out: subscribers': () =>
      fanOutStore(database.collections).subscribers([WORKSPACE_ID], ['billing.plan_changed']),
    'fan-out: insert': () => fanOutStore(database.collections).insert([aDelivery({ id: deliveryId(1) })]),
    'outbox: claim': () => outboxStore(database.collections).claim(5, later(99_000), later(99_001)),
    'outbox: remove': () => outboxStore(database.collections).remove(['one']),
    'outbox: blame': () => outboxStore(database.collections).blame('one', 'too large'),
    'outbox: set aside': () => outboxStore(database.collections).setAside('one'),
    'systemStats: overdue': () => systemStats(database.collections).overdue(later(99_000)),
    'systemStats: outbox': () => systemStats(database.collections).outbox(NOON),
    'systemStats: the oldest delivery': () => systemStats(database.collections).oldestDelivery(),
    'systemStats: task runs': () => systemStats(database.collections).taskRuns(),
    'digest: workspaces': () => digests().workspaceIds(idFor('workspace', 'a'), 5),
    'digest: stored': () => digests().stored([idFor('notification', 'a'), idFor('notification', 'b')]),
    'digest: deliveries': () => digests().countDeliveries(WORKSPACE_ID, NOON, later(30)),
    'digest: audits': () => digests().countAudits(WORKSPACE_ID, 'webhook_endpoint.disabled', NOON, later(9)),
    'digest: announce': () => digests().announce(aNotification({ id: idFor('notification', 'digest') })),
    'history: deliveries': () => history(database).removeExpired(later(3), 2),
    'history: tombstones': () => history(database).removeTombstones(2),
    'reads: a delivery': () => deliveryReads(database.collections).find(WORKSPACE_ID, deliveryId(5)),
    'reads: deliveries': () => deliveryReads(database.collections).list(WORKSPACE_ID, ENDPOINT_ID, slice),
    'reads: deliveries by date, on the next page': () =>
      deliveryReads(database.collections).list(WORKSPACE_ID, ENDPOINT_ID, {
        ...slice,
        createdAfter: NOON,
        createdBefore: later(20),
        after: deliveryId(9),
      }),
    'reads: deliveries by status and type': () =>
      deliveryReads(database.collections).list(WORKSPACE_ID, ENDPOINT_ID, {
        ...slice,
        status: 'failed',
        eventType: 'billing.plan_changed',
      }),
    'reads: attempts': () => deliveryReads(database.collections).attempts(WORKSPACE_ID, deliveryId(5)),
    'reads: counts': () => deliveryReads(database.collections).countByStatus(WORKSPACE_ID, NOON),
    'reads: an endpoint': () => endpointReads(database.collections).find(WORKSPACE_ID, ENDPOINT_ID),
    'reads: endpoints': () =>
      endpointReads(database.collections).list(WORKSPACE_ID, { after: ENDPOINT_ID, limit: 5 }),
    'reads: endpoint counts': () => endpointReads(database.collections).count(WORKSPACE_ID),
    'reads: notifications': () => newestFirst(database.collections.notifications).list(WORKSPACE_ID, page),
    'reads: audit events': () => newestFirst(database.collections.auditEvents).list(WORKSPACE_ID, page),
    'reads: a bearer': () => directory(database.collections).bearerByHash(anApiToken().hash),
    'reads: a workspace': () => directory(database.collections).workspaceBySlug('acme'),
    'a use of a token': () => directory(database.collections).noteUse(anApiToken().id, NOON),
  };
  const digests = () => digestStore({ ...writing(), newTraceId: () => TRACE_ID });

  for (const [name, query] of Object.entries(QUERIES)) {
    it(`has its index: ${name}`, async () => {
      const operations = await profiled(database.db, query);
      expect(operations).not.to.deep.equal([]);
      for (const { ns, planSummary = '', hasSortStage, command } of operations) {
        const what = `${ns}: ${JSON.stringify(command)}`;
        expect(planSummary, what).not.to.include('COLLSCAN');
        expect(hasSortStage, what).not.to.equal(true);
      }
    });
  }
});
