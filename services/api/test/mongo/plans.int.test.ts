import { SYSTEM } from '@postrider/shared/domain/audit-event';
import { REPLAYABLE_STATUSES, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { TokenDocument } from '@postrider/shared/mongo/collections';
import { toAttemptDocument, toDocument } from '@postrider/shared/mongo/documents';
import {
  aDelivery,
  aFailedDelivery,
  anAttempt,
  anEndpoint,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '@postrider/shared/testing/builders';
import { profiled } from '@postrider/shared/testing/profiled';
import { aReplayJob } from '@postrider/shared/testing/replay-job-builders';
import { type TestDatabase, testDatabase } from '@postrider/shared/testing/test-database';
import {
  aNotification,
  anApiToken,
  anAuditEvent,
  aWorkspace,
} from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import { createDeliveryReads } from '../../src/mongo/delivery-reads.js';
import { createDirectory } from '../../src/mongo/directory.js';
import { createEndpointReads } from '../../src/mongo/endpoint-reads.js';
import {
  createAscendingById,
  createNewestFirst,
  createPortalLinkReads,
  createReplayJobReads,
} from '../../src/mongo/list-reads.js';
import { matchingRows } from '../../src/mongo/replay-matches.js';
import { unsentOf, unsentReplaysOf } from '../../src/mongo/replay-source-rows.js';
import { tokensIn } from '../../src/mongo/token-repository.js';
import { createTransactionRepositories } from '../../src/mongo/transaction-repositories.js';
import { revokeFamilies } from '../../src/operations/revoke-families.js';
import type { BoundedRows, CreationOrder } from '../../src/ports/reads.js';
import type { Mutate, Transaction } from '../../src/ports/unit-of-work.js';

const ROWS = 40;
const deliveryId = (n: number) => idFor('delivery', `${n}`, later(n));

/** Stores enough rows of several endpoints, workspaces and states for an index to matter. */
async function fill({ collections, store }: TestDatabase): Promise<void> {
  const numbers = Array.from({ length: ROWS }, (_, n) => n);
  const endpoints = numbers.map((n) =>
    anEndpoint({ id: idFor('endpoint', `${n}`), enabled: n % 2 === 0, deletedAt: n % 5 === 0 ? NOON : null }),
  );
  const deliveries = numbers.map((n) => {
    const facts = { id: deliveryId(n), createdAt: later(n) };
    return n % 2 === 0 ? aDelivery(facts) : aFailedDelivery(1, facts);
  });
  await store({ endpoints: [anEndpoint(), ...endpoints], deliveries });
  const attempts = deliveries.map(({ id }) => toAttemptDocument(anAttempt({ deliveryId: id })));
  await collections.attempts.insertMany(attempts);
  const dated = (kind: 'notification' | 'audit', n: number) => ({
    id: idFor(kind, `${n}`),
    createdAt: later(n),
  });
  await collections.notifications.insertMany(
    numbers.map((n) => toDocument(aNotification(dated('notification', n)))),
  );
  await collections.auditEvents.insertMany(numbers.map((n) => toDocument(anAuditEvent(dated('audit', n)))));
  await collections.workspaces.insertOne({ ...toDocument(aWorkspace()), guard: 0 });
  await collections.apiTokens.insertOne(toDocument(anApiToken()));
}

describe('query plans of the api', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
    await fill(database);
  });
  after(() => database.drop());

  const page = { after: { createdAt: later(9), id: idFor('audit', '9') }, limit: 5 };
  const filter = {
    endpointId: null,
    statuses: REPLAYABLE_STATUSES,
    eventTypes: null,
    failureReasons: null,
    createdAfter: NOON,
    createdBefore: later(20),
    includeReplayed: false,
  };
  const JOB = { workspaceId: WORKSPACE_ID, filter };
  const OF_ENDPOINT = { ...JOB, filter: { ...filter, endpointId: ENDPOINT_ID } };
  const HELD = { since: NOON, until: NOON };
  const SEARCH = { endpointIds: null, after: ENDPOINT_ID, limit: 5, maxSubscriptions: 10 };
  const slice = {
    ...{ endpointIds: [ENDPOINT_ID], statuses: null, eventType: null, eventId: null, traceId: null },
    ...{ failureReasons: null, lastFailureReasons: null, httpStatus: null },
    createdAfter: null,
    createdBefore: null,
    after: null,
    limit: 5,
  };

  const QUERIES: Readonly<Record<string, () => Promise<unknown>>> = {
    'a delivery': () => createDeliveryReads(database).find(WORKSPACE_ID, deliveryId(5)),
    deliveries: () => createDeliveryReads(database).list(WORKSPACE_ID, slice),
    'deliveries by date, on the next page': () =>
      createDeliveryReads(database).list(WORKSPACE_ID, {
        ...slice,
        createdAfter: NOON,
        createdBefore: later(20),
        after: deliveryId(9),
      }),
    'deliveries by status and type': () =>
      createDeliveryReads(database).list(WORKSPACE_ID, {
        ...slice,
        statuses: ['failed'],
        eventType: 'billing.plan_changed',
      }),
    'deliveries of a workspace': () =>
      createDeliveryReads(database).list(WORKSPACE_ID, { ...slice, endpointIds: null }),
    'deliveries of an event': () =>
      createDeliveryReads(database).list(WORKSPACE_ID, {
        ...slice,
        endpointIds: null,
        eventId: 'evt_1',
      }),
    'deliveries of a trace': () =>
      createDeliveryReads(database).list(WORKSPACE_ID, {
        ...slice,
        endpointIds: null,
        traceId: TRACE_ID,
      }),
    'failures of a workspace with a reason': () =>
      createDeliveryReads(database).list(WORKSPACE_ID, {
        ...slice,
        endpointIds: null,
        failureReasons: ['timeout'],
      }),
    'failures of a workspace whose last attempt had a reason': () =>
      createDeliveryReads(database).list(WORKSPACE_ID, {
        ...slice,
        endpointIds: null,
        lastFailureReasons: ['timeout'],
      }),
    'newest replays': () => createDeliveryReads(database).newestReplays([deliveryId(1), deliveryId(2)]),
    attempts: () => createDeliveryReads(database).attempts(WORKSPACE_ID, deliveryId(5)),
    counts: () => createDeliveryReads(database).countByStatus(WORKSPACE_ID, NOON),
    'portal links': () => createPortalLinkReads(database.collections).list(WORKSPACE_ID, page),
    'an endpoint': () => createEndpointReads(database.collections).find(WORKSPACE_ID, ENDPOINT_ID),
    endpoints: () =>
      createEndpointReads(database.collections).list(WORKSPACE_ID, { after: ENDPOINT_ID, limit: 5 }),
    'searched endpoints': () => createEndpointReads(database.collections).search(WORKSPACE_ID, SEARCH),
    'searched endpoints of a portal link': () =>
      createEndpointReads(database.collections).search(WORKSPACE_ID, {
        ...SEARCH,
        endpointIds: [idFor('endpoint', '3'), idFor('endpoint', '4')],
      }),
    'found endpoints': () =>
      createEndpointReads(database.collections).findSeveral(WORKSPACE_ID, [
        ENDPOINT_ID,
        idFor('endpoint', '3'),
      ]),
    'endpoints with deleted ones': () =>
      createEndpointReads(database.collections).listWithDeleted(WORKSPACE_ID, {
        after: ENDPOINT_ID,
        limit: 5,
        endpointIds: null,
      }),
    'endpoints of a portal link with deleted ones': () =>
      createEndpointReads(database.collections).listWithDeleted(WORKSPACE_ID, {
        after: ENDPOINT_ID,
        limit: 5,
        endpointIds: [idFor('endpoint', '3'), idFor('endpoint', '5')],
      }),
    'endpoint counts': () => createEndpointReads(database.collections).count(WORKSPACE_ID),
    notifications: () => createNewestFirst(database.collections.notifications).list(WORKSPACE_ID, page),
    'audit events': () => createNewestFirst(database.collections.auditEvents).list(WORKSPACE_ID, page),
    'failures of a workspace': () =>
      matchingRows(
        database.collections.deliveries,
        { ...JOB, held: null },
        { after: deliveryId(3), limit: 5 },
      ),
    'failures of an endpoint': () =>
      matchingRows(
        database.collections.deliveries,
        { ...OF_ENDPOINT, held: null },
        { after: null, limit: 5 },
      ),
    'rows that were held': () =>
      matchingRows(
        database.collections.deliveries,
        { ...OF_ENDPOINT, held: HELD },
        { after: null, limit: 5 },
      ),
    'replays of deliveries': () =>
      database.collections.deliveries.distinct('replayedFrom', {
        replayedFrom: { $in: [deliveryId(1), deliveryId(2)] },
      }),
    'replays of jobs that wait for their first attempt': () =>
      unsentReplaysOf(database.collections, [deliveryId(1), deliveryId(2)], NOON),
    'which replays wait for their first attempt': () =>
      unsentOf(database.collections, [deliveryId(1), deliveryId(2)]),
    'replay jobs': () => createReplayJobReads(database).list(WORKSPACE_ID, page),
    'replay jobs of endpoints': () =>
      createReplayJobReads(database).listOf(WORKSPACE_ID, [ENDPOINT_ID], page),
    'a bearer token': () => createDirectory(database.collections).bearerByHash(anApiToken().hash),
    'a workspace': () => createDirectory(database.collections).workspaceBySlug('acme'),
    'a workspace with interrupted revocations': () =>
      createDirectory(database.collections).workspaceWithPendingFamilies(WORKSPACE_ID),
    'recording the last use of a token': () =>
      createDirectory(database.collections).recordUse(anApiToken().id, { at: NOON, address: '192.0.2.1' }),
  };

  it('reads one replay of each delivery, however many there are', async () => {
    const replays = Array.from({ length: 300 }, (_, n) =>
      aDelivery({ id: idFor('delivery', `r${n}`, later(100 + n)), replayedFrom: deliveryId(n % 3) }),
    );
    await database.store({ deliveries: replays });
    const ids = [deliveryId(0), deliveryId(1), deliveryId(30)];
    let newest: ReadonlyMap<string, string> = new Map();
    const operations = await profiled(database.db, async () => {
      newest = await createDeliveryReads(database).newestReplays(ids);
    });
    expect(newest).to.deep.equal(
      new Map([
        [ids[0], replays[297]?.id],
        [ids[1], replays[298]?.id],
      ]),
    );
    const [{ keysExamined, docsExamined }] = operations as [(typeof operations)[number]];
    expect([keysExamined, docsExamined]).to.satisfy(
      ([keys, rows]: [number, number]) => keys < 10 && rows === 0,
    );
  });

  // Regression: behind a cursor, a page whose first hundred rows are consecutive read all later ones, of all workspaces.
  it('reads no row of another workspace for a page by id', async () => {
    const { collections } = database;
    const rows = Array.from({ length: 400 }, (_, n) => ({
      id: idFor('endpoint', `listed ${n}`, later(1_000 + n)),
      workspaceId: idFor('workspace', n < 120 ? 'listed' : 'other'),
    }));
    await database.store({ endpoints: rows.map(anEndpoint) });
    const members = rows.map(({ id: _id, workspaceId }) => ({
      _id,
      workspaceId,
      email: _id,
      role: 'member',
    }));
    await collections.members.insertMany(members as never);
    const checks = rows.map(({ workspaceId }, n) => {
      return { _id: idFor('conformanceCheck', `${n}`, later(1_000 + n)), workspaceId };
    });
    await collections.conformanceChecks.insertMany(checks as never);
    const checksSince = async (since: Date) =>
      database.client.withSession((session) =>
        createTransactionRepositories(collections, session, {
          now: () => NOON,
        }).conformanceChecks.startedSince(workspaceId, since),
      );
    const slice = { after: rows[0]!.id, limit: 201 };
    const workspaceId = idFor('workspace', 'listed');
    const endpoints = createEndpointReads(collections);
    const lists = [
      () => createAscendingById(collections.members).list(workspaceId, slice),
      () => endpoints.list(workspaceId, slice),
      () => endpoints.listWithDeleted(workspaceId, { ...slice, endpointIds: null }),
      () => endpoints.search(workspaceId, { ...slice, endpointIds: null, maxSubscriptions: 1_000 }),
      () => checksSince(later(1_001)),
    ];
    for (const list of lists) {
      const operations = await profiled(database.db, list);
      const read = operations.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
      expect(read, String(list)).to.equal(119);
    }
  });

  it('reads a bounded number of replay jobs for a page of those of some endpoints', async () => {
    const jobs = Array.from({ length: 301 }, (_, n) => {
      const endpointId = n === 0 ? ENDPOINT_ID : idFor('endpoint', '1');
      const facts = { id: idFor('replayJob', `${n}`), createdAt: later(n) };
      return aReplayJob({ ...facts, filter: { ...filter, endpointId } });
    });
    await database.collections.replayJobs.insertMany(jobs.map(toDocument));
    const { listOf } = createReplayJobReads(database, 100);
    const found: string[] = [];
    const reads = await profiled(database.db, async () => {
      let after: CreationOrder | null = null;
      do {
        const { rows, readTo }: BoundedRows<ReplayJob, CreationOrder> = await listOf(
          WORKSPACE_ID,
          [ENDPOINT_ID],
          { after, limit: 5 },
        );
        found.push(...rows.map(({ id }) => id));
        after = readTo;
      } while (after !== null);
    });
    expect(found).to.deep.equal([jobs[0]?.id]);
    // And the last row of the page before.
    for (const { docsExamined = 0, command } of reads)
      expect(docsExamined, JSON.stringify(command)).to.be.at.most(101);
  });

  for (const [name, distance] of [
    ['that its token made', 1],
    ['that revoked ones made', 5],
  ] as const)
    it(`revokes the live tokens of a family ${name} first, without reading other revoked and expired ones`, async () => {
      const workspace = aWorkspace({ id: idFor('workspace', name) });
      const tokenOf = (id: string, { family, ...facts }: Partial<TokenDocument>): TokenDocument => {
        const names = { id: idFor('token', `${name} ${id}`), hash: `${name} ${id}` };
        const token = anApiToken({ ...names, workspaceId: workspace.id, ...facts });
        return { ...toDocument(token), ...(family && { family }) };
      };
      const creator = tokenOf('creator', { revokedAt: NOON, family: 'pending' });
      const states = [{ expiresAt: NOON }, { revokedAt: NOON, family: 'done' }, { revokedAt: NOON }] as const;
      const ended = Array.from({ length: 1_500 }, (_, n) =>
        tokenOf(`m${n}`, { createdBy: creator._id, ...states[n % states.length]! }),
      );
      const chain = [creator];
      for (let level = 1; level <= distance; level += 1) {
        const revokedAt = level === distance ? null : NOON;
        chain.push(tokenOf(`c${level}`, { createdBy: chain.at(-1)!._id, revokedAt }));
      }
      const { apiTokens } = database.collections;
      await apiTokens.insertMany([...chain, ...ended]);
      const step: Mutate = (_, work) =>
        database.client.withSession((session) =>
          session.withTransaction(async () => {
            await work({ tokens: tokensIn(database.collections, session) } as Transaction);
            return 'done' as never;
          }),
        );
      const deps = {
        mutate: step,
        clock: { now: () => later(48 * 3_600_000) },
        newId: () => 'aud_1' as never,
      };
      const context = { workspace, actor: SYSTEM, traceId: TRACE_ID, source: null };
      const operations = await profiled(database.db, () => revokeFamilies(deps, context));
      const isRevoked = { _id: chain.at(-1)!._id, revokedAt: { $ne: null } };
      expect(await apiTokens.countDocuments(isRevoked), 'the live token is revoked').to.equal(1);
      const examined = operations.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
      expect(examined).to.be.at.most(10 + distance);
    });

  for (const [name, query] of Object.entries(QUERIES)) {
    it(`uses an index for ${name}`, async () => {
      const operations = await profiled(database.db, query);
      expect(operations).not.to.deep.equal([]);
      for (const { ns, planSummary = '', hasSortStage, command } of operations) {
        const details = `${ns}: ${JSON.stringify(command)}`;
        expect(planSummary, details).not.to.include('COLLSCAN');
        expect(hasSortStage, details).not.to.equal(true);
      }
    });
  }
});
