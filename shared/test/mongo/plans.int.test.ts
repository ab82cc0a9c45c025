import { expect } from 'chai';
import { deadLetterAll } from '../../src/domain/dead-letter.js';
import { firstIdAt } from '../../src/domain/id.js';
import { settleAll } from '../../src/domain/settle-all.js';
import { createBacklog } from '../../src/mongo/backlog.js';
import { createCleanupProgress } from '../../src/mongo/cleanup-progress.js';
import { createDeadLetterStore } from '../../src/mongo/dead-letter-store.js';
import { createDigestStore } from '../../src/mongo/digest-store.js';
import { toAttemptDocument, toDocument } from '../../src/mongo/documents.js';
import { createFanOutStore } from '../../src/mongo/fan-out-store.js';
import { createHistory } from '../../src/mongo/history.js';
import { createOutboxStore } from '../../src/mongo/outbox-store.js';
import { createSettlementStore } from '../../src/mongo/settlement-store.js';
import { createSystemStats } from '../../src/mongo/system-stats.js';
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
import { collect } from '../../src/testing/collect.js';
import { fixedFeatureLevel } from '../../src/testing/fixed-feature-level.js';
import { profiled } from '../../src/testing/profiled.js';
import { offers, type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { aNotification, anAuditEvent, aWorkspace } from '../../src/testing/workspace-builders.js';

const ROWS = 40;
const LIMIT = { endpoints: 9, cost: 100 };
const deliveryId = (n: number) => idFor('delivery', `${n}`, later(n));
const EXHAUSTED = idFor('delivery', 'exhausted');

/** Stores rows of several endpoints, workspaces, times and states, so that a missing index has an effect. */
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
}

describe('every query', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
    await fill(database);
  });
  after(() => database.drop());

  const clock = { now: () => NOON };
  const featureLevel = fixedFeatureLevel();
  const writing = () => ({ database, relay: offers().relay, clock, featureLevel, outboxClaimMs: 0 });
  const failures = [2, 4, 6].map((n) =>
    anAttemptObservation({ deliveryId: deliveryId(n), outcome: answered(500) }),
  );
  const exhausted = [{ deliveryId: EXHAUSTED, endpointId: ENDPOINT_ID }];

  const QUERIES: Readonly<Record<string, () => Promise<unknown>>> = {
    'settlement: read': () =>
      createSettlementStore(writing()).read({ deliveryIds: [deliveryId(1)], endpointIds: [ENDPOINT_ID] }),
    'settlement: settle': () =>
      createSettlementStore(writing()).settle(failures, (stored) => settleAll(stored, failures, 30_000)),
    'settlement: record': () => {
      const observations = [anAttemptObservation({ deliveryId: deliveryId(8) })];
      const known = {
        deliveries: new Map([[deliveryId(8), aDelivery({ id: deliveryId(8) })]]),
        endpoints: new Map([[ENDPOINT_ID, anEndpoint()]]),
      };
      return createSettlementStore(writing()).record(settleAll(known, observations, 30_000), later(1));
    },
    'settlement: moveDueTimes': () =>
      createSettlementStore(writing()).moveDueTimes(new Map([[deliveryId(1), later(9_000)]])),
    'settlement: extend due times': () => {
      const attempts = [{ deliveryId: deliveryId(1), ordinal: 1 }];
      return createSettlementStore(writing()).extendDueTimes(attempts, later(9_000));
    },
    'dead letters: settle': () =>
      createDeadLetterStore(writing()).settle(exhausted, (stored) => deadLetterAll(stored, exhausted, NOON)),
    'backlog: due': () => createBacklog(database.collections).due(ENDPOINT_ID, later(99_000), 5),
    'backlog: overdue': () => collect(createBacklog(database.collections).overdueEndpoints(later(99_000))),
    'backlog: workspaces': () => createBacklog(database.collections).workspacesOf([ENDPOINT_ID]),
    'fan-out: subscribers': () =>
      fanOut().subscribers({ workspaceIds: [WORKSPACE_ID], types: ['billing.plan_changed'], limit: LIMIT }),
    'fan-out: subscribers in pages': () =>
      fanOut().subscribersAfter({
        workspaceId: WORKSPACE_ID,
        types: ['billing.plan_changed', 'api_token.created'],
        after: ENDPOINT_ID,
        limit: LIMIT,
      }),
    'fan-out: count held': () =>
      fanOut().countHeld([{ endpointId: ENDPOINT_ID, since: NOON, rows: 1, missed: 0 }]),
    'fan-out: progress': () => fanOut().progressOf([idFor('event', 'a')]),
    'fan-out: save progress': () =>
      fanOut().saveProgress(new Map([[idFor('event', 'a'), { after: ENDPOINT_ID, isComplete: false }]])),
    'fan-out: insert': () => fanOut().insert([aDelivery({ id: deliveryId(1) })], []),
    'outbox: claim': () => createOutboxStore(database.collections).claim(5, later(99_000), later(99_001)),
    'outbox: next expiry': () => createOutboxStore(database.collections).nextExpiry(),
    'outbox: remove': () => createOutboxStore(database.collections).remove(['one']),
    'outbox: count a failure': () => createOutboxStore(database.collections).countFailure('one', 'too large'),
    'outbox: set aside': () => createOutboxStore(database.collections).setAside('one'),
    'systemStats: overdue': () => createSystemStats(database.collections).overdue(later(99_000)),
    'systemStats: outbox': () => createSystemStats(database.collections).outbox(NOON),
    'cleanup progress: oldest delivery': () => createCleanupProgress(database).oldestUnexamined(),
    'systemStats: replay jobs': () => createSystemStats(database.collections).replayJobs(NOON),
    'systemStats: task runs': () => createSystemStats(database.collections).taskRuns(),
    'digest: stored': () => digests().stored([idFor('notification', 'a'), idFor('notification', 'b')]),
    'digest: activity': () =>
      digests().activityOf([WORKSPACE_ID, idFor('workspace', 'other')], NOON, later(30)),
    'digest: announce': () => digests().announce([aNotification({ id: idFor('notification', 'digest') })]),
    'history: deliveries': () =>
      createHistory(database).removeExpired({ from: '', before: firstIdAt('delivery', later(3)) }, 2),
    'history: end of a slice': () => createHistory(database).endOfSlice({ from: '', before: 'dlv_z' }, 2),
    'digest: workspaces': () => digests().workspaces({ after: 'ws_0', limit: 5, from: NOON, to: later(30) }),
    'history: end of a slice of events': () =>
      createHistory(database).endOfEventSlice({ from: '', before: 'evt_z' }, 2),
    'history: events': () => createHistory(database).removeUnmatchedEvents({ from: '', before: 'evt_z' }),
    'history: tombstones': () => collect(createHistory(database).tombstones(later(1), 2)),
    'history: remove tombstones': () =>
      createHistory(database).removeTombstones([ENDPOINT_ID, idFor('endpoint', '0')]),
  };
  const fanOut = () => createFanOutStore(database.collections);
  const digests = () => createDigestStore({ ...writing(), newTraceId: () => TRACE_ID });

  for (const [name, query] of Object.entries(QUERIES)) {
    it(`uses an index, also for its order: ${name}`, async () => {
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
