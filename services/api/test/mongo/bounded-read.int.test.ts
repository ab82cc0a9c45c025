import { FAILURE_STATUSES } from '@postrider/shared/domain/delivery';
import { deliveryIdOf, timeOfId } from '@postrider/shared/domain/id';
import { aDelivery, aTerminalDelivery, idFor, later, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { type Operation, profiled } from '@postrider/shared/testing/profiled';
import { type TestDatabase, testDatabase } from '@postrider/shared/testing/test-database';
import { expect } from 'chai';
import { createDeliveryReads } from '../../src/mongo/delivery-reads.js';
import { createPagePayloads, PAGE_ROW_STAGES, type PageRow } from '../../src/mongo/page-payloads.js';
import type { DeliveriesFound, DeliverySlice } from '../../src/ports/reads.js';

const MAX_ROWS_READ = 10;
const LIMIT = 5;
const ENDPOINT = idFor('endpoint', 'one');
const STRANGER = idFor('endpoint', 'of another workspace');
const ANY: DeliverySlice = {
  ...{ endpointIds: [ENDPOINT], statuses: null, eventType: null, eventId: null, traceId: null },
  ...{ failureReasons: null, lastFailureReasons: null, httpStatus: null },
  ...{ createdAfter: null, createdBefore: null },
  ...{ after: null, limit: LIMIT },
};
const numbers = (length: number) => Array.from({ length }, (_, n) => n);
/** The facts of a delivery that was created in a second. */
const at = (second: number, endpointId = ENDPOINT) => ({
  ...{ id: idFor('delivery', `${second} ${endpointId}`, later(second * 1_000)), endpointId },
  createdAt: later(second * 1_000),
});

describe('lists of deliveries that read a bounded number of rows', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  /** Reads one page, and checks what each of its queries reads. */
  const read = async (slice: Partial<DeliverySlice>): Promise<DeliveriesFound> => {
    const pages: DeliveriesFound[] = [];
    const operations = await profiled(database.db, async () => {
      const reads = createDeliveryReads(database, MAX_ROWS_READ);
      pages.push(await reads.list(WORKSPACE_ID, { ...ANY, ...slice }));
    });
    for (const operation of operations) expectBounded(operation);
    return pages[0] as DeliveriesFound;
  };
  /** Reads all pages. */
  const readAll = async (slice: Partial<DeliverySlice>): Promise<readonly string[]> => {
    const found: string[] = [];
    for (let after: string | null = null; ; ) {
      const { deliveries, readTo } = await read({ ...slice, after });
      found.push(...deliveries.map(({ id }) => id));
      after = deliveries.length === LIMIT ? (found.at(-1) ?? null) : readTo;
      if (after === null) return found;
    }
  };

  it('find few pending deliveries among the due rows', async () => {
    const pending = [3, 20, 37].map((second) => aDelivery(at(second)));
    const delivered = numbers(40).map((second) => aTerminalDelivery('delivered', at(second + 100)));
    await database.store({ deliveries: [...pending, ...delivered] });
    const newestFirst = pending.map(({ id }) => id).toReversed();
    const page = await read({ statuses: ['pending'] });
    expect(page.deliveries.map(({ id }) => id)).to.deep.equal(newestFirst);
    expect(page.readTo).to.equal(null);
    const before = await read({ statuses: ['pending'], createdBefore: later(30_000) });
    expect(before.deliveries.map(({ id }) => id)).to.deep.equal(newestFirst.slice(1));
    const none = await read({ statuses: ['pending'], eventType: 'another.type' });
    expect(none).to.deep.equal({ deliveries: [], readTo: null });
  });

  it('find pending deliveries of a span before many due rows and after many delivered ones', async () => {
    const wanted = [5, 25].map((second) => aDelivery(at(second)));
    const delivered = numbers(40).map((second) => aTerminalDelivery('delivered', at(second)));
    const due = numbers(40).map((second) => aDelivery(at(second + 100)));
    await database.store({ deliveries: [...wanted, ...delivered.filter(isNoneOf(wanted)), ...due] });
    const span = { statuses: ['pending'], createdBefore: later(100_000) } as const;
    expect(await readAll(span)).to.deep.equal(wanted.map(({ id }) => id).toReversed());
    expect(await readAll({ ...span, eventType: 'another.type' })).to.be.empty;
  });

  for (const endpoints of [66, 67, 100]) {
    it(`find the failures of ${endpoints} endpoints`, async () => {
      const endpointIds = numbers(endpoints).map((n) => idFor('endpoint', `${n}`));
      const failures = endpointIds.map((id, n) => aTerminalDelivery('failed_permanent', at(2 * n, id)));
      const others = endpointIds.map((id, n) => aTerminalDelivery('delivered', at(2 * n + 1, id)));
      await database.store({ deliveries: [...failures, ...others] });
      const newestFirst = failures.map(({ id }) => id).toReversed();
      expect(await readAll({ endpointIds, statuses: FAILURE_STATUSES })).to.deep.equal(newestFirst);
      const reason = failures[0]?.failureReason;
      expect(await readAll({ endpointIds, failureReasons: [reason ?? 'timeout'] })).to.deep.equal(
        newestFirst,
      );
      const last = failures[0]?.lastAttempt?.failureReason;
      expect(await readAll({ endpointIds, lastFailureReasons: [last ?? 'timeout'] })).to.deep.equal(
        newestFirst,
      );
    });
  }

  // Regression: one row of another workspace hid all of them.
  it('find the deliveries of an event among those of another workspace', async () => {
    const there = { workspaceId: idFor('workspace', 'other') };
    const own = [2, 5, 7].map((second) => aDelivery(at(second)));
    const others = [1, 3, 6, 8].map((second) => aDelivery({ ...at(second, STRANGER), ...there }));
    await database.store({ deliveries: [...own, ...others] });
    const ofEvent = { endpointIds: null, eventId: String(aDelivery().payload.eventId) };
    const page = await read(ofEvent);
    expect(page.deliveries.map(({ id }) => id)).to.deep.equal(own.map(({ id }) => id).toReversed());
    expect(page.readTo).to.equal(null);
    const oldest = await createDeliveryReads(database, MAX_ROWS_READ).oldestOf(
      WORKSPACE_ID,
      ofEvent.eventId,
      null,
    );
    expect(oldest?.id).to.equal(own[0]?.id);
  });

  // Regression: a portal link for one endpoint was shown that nothing is stored of the event.
  it('find the delivery of one endpoint behind more deliveries of its event than are read', async () => {
    const first = aDelivery(at(1));
    const eventId = idFor('event', 'large');
    const occurredAt = timeOfId('event', eventId) as Date;
    const rows = numbers(MAX_ROWS_READ + 5).map((n) => {
      const endpointId = idFor('endpoint', `${n}`);
      const id = deliveryIdOf({ eventId, occurredAt }, endpointId);
      return aDelivery({ id, endpointId, payload: { ...first.payload, eventId } });
    });
    await database.store({ deliveries: rows });
    const reads = createDeliveryReads(database, MAX_ROWS_READ);
    for (const { id, endpointId } of rows)
      expect((await reads.oldestOf(WORKSPACE_ID, eventId, [endpointId]))?.id).to.equal(id);
  });

  // Regression: the list ended there, and what follows was never shown.
  it('continue behind a row that is removed while its payload is read', async () => {
    const large = { payload: { ...aDelivery(at(1)).payload, note: 'x'.repeat(30_000) } };
    const rows = [1, 2].map((second) => aTerminalDelivery('delivered', { ...at(second), ...large }));
    await database.store({ deliveries: rows });
    const stages = [{ $sort: { _id: -1 } }, ...PAGE_ROW_STAGES];
    const [newest, removed] = await database.collections.deliveries.aggregate<PageRow>(stages).toArray();
    await database.collections.deliveries.deleteOne({ _id: removed?._id as string });
    const page = await createPagePayloads(database.collections)([newest, removed] as PageRow[]);
    expect(page.rows.map(({ _id }) => _id)).to.deep.equal([newest?._id]);
    expect(page.cutAt).to.equal(removed?._id);
  });

  it('end on the server when their request does', async () => {
    await database.store({ deliveries: [aDelivery(at(1)), aTerminalDelivery('delivered', at(2))] });
    const operations = await profiled(database.db, async () => {
      const reads = createDeliveryReads(database, MAX_ROWS_READ);
      for (const statuses of [null, ['pending'], ['delivered']] as const)
        await reads.list(WORKSPACE_ID, { ...ANY, statuses });
    });
    for (const { command } of operations) expect(command.maxTimeMS, JSON.stringify(command)).to.equal(10_000);
  });
});

function isNoneOf(rows: readonly { readonly id: string }[]) {
  return ({ id }: { readonly id: string }) => rows.every((row) => row.id !== id);
}

/** A sort in memory is within the bound, too. The index of `_id` alone has the rows of all workspaces. */
function expectBounded({ docsExamined = 0, planSummary, command }: Operation): void {
  const details = JSON.stringify(command);
  expect(docsExamined, details).to.be.at.most(MAX_ROWS_READ + LIMIT);
  expect(planSummary, details).not.to.equal('IXSCAN { _id: 1 }');
}
