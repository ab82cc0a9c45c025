import { expect } from 'chai';
import { asId } from '../../src/domain/id.js';
import { createDigestStore } from '../../src/mongo/digest-store.js';
import { fromDocument, toDocument } from '../../src/mongo/documents.js';
import {
  aDelivery,
  anEndpoint,
  aTerminalDelivery,
  idFor,
  later,
  NOON,
  TRACE_ID,
  WORKSPACE_ID,
} from '../../src/testing/builders.js';
import { profiled } from '../../src/testing/profiled.js';
import { offers, type TestDatabase, testDatabase } from '../../src/testing/test-database.js';
import { aNotification, anAuditEvent, aWorkspace } from '../../src/testing/workspace-builders.js';

const NONE = { pending: 0, delivered: 0, failed: 0, failed_permanent: 0, dead_lettered: 0, held: 0 };
const DIGEST = aNotification({ kind: 'delivery_digest', endpointId: null, data: { day: '2026-03-01' } });

describe('digest store', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  function storeWith(relay = offers().relay) {
    const clock = { now: () => NOON };
    return createDigestStore({ database, relay, clock, outboxClaimMs: 15_000, newTraceId: () => TRACE_ID });
  }

  it('returns all workspaces, page by page, and whether anything happened in them', async () => {
    const ids = ['a', 'b', 'c'].map((name) => idFor('workspace', name)).sort();
    const documents = ids.map((id) => ({ ...toDocument(aWorkspace({ id, slug: id })), guard: 0 }));
    await database.collections.workspaces.insertMany(documents);
    const [first, second, third] = ids as unknown as [string, string, string];
    const to = later(1_000);
    const delivery = {
      id: idFor('delivery', 'x', NOON),
      createdAt: NOON,
      workspaceId: asId('workspace', first),
    };
    await database.store({ deliveries: [aDelivery(delivery)] });
    const disabled = anAuditEvent({ workspaceId: asId('workspace', third), createdAt: NOON });
    const tooLate = { id: idFor('audit', 'late'), workspaceId: asId('workspace', second), createdAt: to };
    await database.collections.auditEvents.insertMany([disabled, anAuditEvent(tooLate)].map(toDocument));
    const page = (after: string | null) => storeWith().workspaces({ after, limit: 2, from: NOON, to });
    expect(await page(null)).to.deep.equal([
      { id: first, isActive: true },
      { id: second, isActive: false },
    ]);
    expect(await page(second)).to.deep.equal([{ id: third, isActive: true }]);
    expect(await page(third)).to.deep.equal([]);
  });

  it('stores how far the digest got', async () => {
    const { progress, saveProgress } = storeWith();
    expect(await progress()).to.equal(null);
    for (const after of [idFor('workspace', 'a'), null]) {
      await saveProgress({ day: NOON, after });
      expect(await progress()).to.deep.equal({ day: NOON, after });
    }
  });

  it('counts the deliveries of a span by status, including its start and excluding its end', async () => {
    const [from, to] = [NOON, later(86_400_000)];
    const at = (name: string, createdAt: Date) => ({ id: idFor('delivery', name, createdAt), createdAt });
    const deleted = anEndpoint({ id: idFor('endpoint', 'deleted'), deletedAt: NOON });
    const foreign = anEndpoint({
      id: idFor('endpoint', 'foreign'),
      workspaceId: idFor('workspace', 'other'),
    });
    await database.store({
      endpoints: [anEndpoint(), deleted, foreign],
      deliveries: [
        aDelivery(at('the first moment', from)),
        aTerminalDelivery('delivered', at('the last moment', later(-1, to))),
        aTerminalDelivery('dead_lettered', {
          ...at('of a deleted endpoint', later(5)),
          endpointId: deleted.id,
        }),
        aTerminalDelivery('failed_permanent', { ...at('held', later(7)), heldSince: NOON }),
        aTerminalDelivery('delivered', at('before', later(-1, from))),
        aTerminalDelivery('delivered', at('after', to)),
        aTerminalDelivery('delivered', {
          ...at('of others', later(6)),
          endpointId: foreign.id,
          workspaceId: foreign.workspaceId,
        }),
      ],
    });
    const other = { ...NONE, delivered: 1 };
    const one = { ...NONE, pending: 1, delivered: 1, dead_lettered: 1, held: 1 };
    expect(await storeWith().activityOf([WORKSPACE_ID, foreign.workspaceId], from, to)).to.deep.equal([
      { workspaceId: WORKSPACE_ID, deliveries: one, endpointsDisabled: 0 },
      { workspaceId: foreign.workspaceId, deliveries: other, endpointsDisabled: 0 },
    ]);
  });

  // Regression: deleted endpoints of a month were looked through for pending deliveries of a day.
  it('looks for pending deliveries at no endpoints that were deleted before the span', async () => {
    const old = Array.from({ length: 50 }, (_, n) =>
      anEndpoint({ id: idFor('endpoint', `old ${n}`), deletedAt: later(-1 - n) }),
    );
    const deleted = anEndpoint({ id: idFor('endpoint', 'deleted'), deletedAt: later(9) });
    const row = { id: idFor('delivery', 'pending', later(5)), createdAt: later(5), endpointId: deleted.id };
    await database.store({ endpoints: [...old, anEndpoint(), deleted], deliveries: [aDelivery(row)] });
    const operations = await profiled(database.db, async () => {
      const [activity] = await storeWith().activityOf([WORKSPACE_ID], NOON, later(1_000));
      expect(activity?.deliveries).to.deep.equal({ ...NONE, pending: 1 });
    });
    const [found] = operations.filter(({ ns }) => ns.endsWith('.endpoints'));
    expect(found?.docsExamined, 'covered').to.equal(0);
    expect(found?.keysExamined).to.be.at.most(6);
  });

  it('counts 0 deliveries for a workspace without endpoints', async () => {
    const [activity] = await storeWith().activityOf([WORKSPACE_ID], NOON, later(1_000));
    expect(activity?.deliveries).to.deep.equal(NONE);
  });

  it('counts each endpoint that was disabled in a span of time once', async () => {
    const at = (name: string, createdAt: Date) => ({ id: idFor('audit', name), createdAt });
    const target = { type: 'endpoint', id: idFor('endpoint', 'second') } as const;
    const other = idFor('workspace', 'other');
    const entries = [
      anAuditEvent(at('first', NOON)),
      anAuditEvent({ ...at('of a second endpoint', NOON), target }),
      anAuditEvent(at('last', later(999))),
      anAuditEvent(at('before', later(-1))),
      anAuditEvent(at('after', later(1_000))),
      anAuditEvent({ ...at('another action', NOON), action: 'webhook_endpoint.enabled' }),
      anAuditEvent({
        ...at('of one that was disabled already', NOON),
        metadata: { reason: 'operator', previousReason: 'consecutive_failures' },
      }),
      anAuditEvent({ ...at('of another workspace', NOON), workspaceId: other }),
    ];
    await database.collections.auditEvents.insertMany(entries.map(toDocument));
    const activities = await storeWith().activityOf([WORKSPACE_ID, other], NOON, later(1_000));
    expect(activities.map(({ endpointsDisabled }) => endpointsDisabled)).to.deep.equal([2, 1]);
  });

  it('stores a digest with its outbox record in one transaction and returns that it was new', async () => {
    const { relay, offered } = offers();
    expect(await storeWith(relay).announce([DIGEST])).to.equal(1);
    const stored = await database.collections.notifications.findOne();
    expect(stored && fromDocument(stored)).to.deep.equal(DIGEST);
    const promised = await database.collections.outbox.findOne();
    expect(promised).to.deep.include({ _id: DIGEST.id, claimedUntil: later(15_000), key: WORKSPACE_ID });
    expect(offered.map(({ id }) => id)).to.deep.equal([DIGEST.id]);
  });

  it('announces a digest once, also for concurrent callers', async () => {
    const { relay, offered } = offers();
    const fresh = await Promise.all([1, 2, 3].map(() => storeWith(relay).announce([DIGEST])));
    expect(fresh.sort()).to.deep.equal([0, 0, 1]);
    const other = idFor('notification', 'other');
    expect(await storeWith().stored([DIGEST.id, other])).to.deep.equal(new Set([DIGEST.id]));
    expect(await storeWith(relay).announce([{ ...DIGEST, message: 'again' }])).to.equal(0);
    expect(await database.collections.notifications.find().toArray()).to.deep.equal([toDocument(DIGEST)]);
    expect(await database.collections.outbox.countDocuments()).to.equal(1);
    expect(offered).to.have.length(1);
  });
});
