import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { type EventFilter, type StoredFilter, storeFilter } from '@postrider/shared/domain/event-filter';
import type { EventTypeName } from '@postrider/shared/domain/event-type';
import { deliveryIdOf, timeOfId, type WorkspaceId } from '@postrider/shared/domain/id';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { aDelivery, anEndpoint, idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { EventExplanation } from '../../src/contract/event-explanation.js';
import type { Call } from '../../src/operations/call.js';
import type { Deps } from '../../src/operations/deps.js';
import { explainEvent } from '../../src/operations/explain-event.js';

const EVENT_ID = idFor('event', 'plan changed');
const CALL = { workspace: { id: WORKSPACE_ID as WorkspaceId } } as Call;
/** Compared with each of the conditions of `expensive`, they cost 227,000 checks. */
const ELEMENTS = Array.from({ length: 1_000 }, () => 0);
/** A filter of 2 KiB that they do not match. */
const expensive = (bound: number): EventFilter => ({ l: Array.from({ length: 226 }, () => ({ gt: bound })) });

describe('explaining an event to many endpoints', () => {
  const withFilters = (filters: readonly EventFilter[]) =>
    filters
      .map((filter, n) => anEndpoint({ id: idFor('endpoint', `${n}`), filter: storeFilter(filter) }))
      .sort((one, other) => (one.id < other.id ? -1 : 1));

  /** @returns reads a page of the event's explanation at these endpoints */
  function explainAt(endpoints: readonly Endpoint[]) {
    const deps = {
      clock: { now: () => NOON },
      nextTurn,
      deliveries: {
        oldestOf: async () => aDelivery({ payload: { occurredAt: NOON.toISOString(), l: ELEMENTS } }),
        newestReplays: async () => new Map(),
        findSeveral: async () => [],
      },
      endpoints: {
        listWithDeleted: async (_: string, { after, limit }: { after: string | null; limit: number }) =>
          endpoints.filter(({ id }) => after === null || id > after).slice(0, limit),
      },
    } as unknown as Deps;
    const explain = explainEvent(deps);
    return (cursor?: string) =>
      explain(CALL, { eventId: EVENT_ID, limit: 200, ...(cursor !== undefined && { cursor }) });
  }
  /** Counts the turns of the event loop until the work has ended. */
  async function turnsOf<T>(work: Promise<T>): Promise<{ readonly turns: number; readonly result: T }> {
    let turns = 0;
    let hasEnded = false;
    const count = () => {
      turns += 1;
      if (!hasEnded) setImmediate(count);
    };
    setImmediate(count);
    const result = await work;
    hasEnded = true;
    return { turns, result };
  }

  it('ends a page after a million checks, and has other turns of the event loop in between', async () => {
    const endpoints = withFilters(Array.from({ length: 20 }, (_, n) => expensive(10 + n)));
    const page = explainAt(endpoints);
    const found: string[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { turns, result }: { turns: number; result: EventExplanation } = await turnsOf(
        page(cursor ?? undefined),
      );
      expect(result.items).to.have.lengthOf.within(4, 5);
      expect(result.items.map(({ outcome }) => outcome)).to.deep.equal(result.items.map(() => 'filtered'));
      expect(turns).to.be.at.least(2);
      found.push(...result.items.map(({ endpointId }) => endpointId));
      cursor = result.nextCursor;
    }
    expect(found).to.deep.equal(endpoints.map(({ id }) => id));
  });

  // Regression: 500, and no outcome at any endpoint.
  it('names an endpoint that is damaged, and explains the event at all others', async () => {
    const [damaged, sound] = withFilters([expensive(10), expensive(10)]);
    const page = explainAt([{ ...damaged!, filter: '{' as StoredFilter }, sound!]);
    const { items } = await page();
    expect(items.map(({ outcome }) => outcome)).to.deep.equal(['unknown', 'filtered']);
    expect(items[0]?.detail).to.include('are damaged in the database');
  });

  it('compares filters of the same text once', async () => {
    const page = explainAt(withFilters(Array.from({ length: 150 }, () => expensive(10))));
    const { items, nextCursor } = await page();
    expect([items.length, nextCursor]).to.deep.equal([150, null]);
  });
});

describe('explaining an event of a damaged delivery', () => {
  const explain = (eventType: EventTypeName, payload: Readonly<Record<string, unknown>>) => {
    const at = timeOfId('event', EVENT_ID) as Date;
    const endpoint = anEndpoint();
    const id = deliveryIdOf({ eventId: EVENT_ID, occurredAt: at }, endpoint.id);
    const delivery = aDelivery({ id, endpointId: endpoint.id, eventType, payload });
    const deps = {
      clock: { now: () => NOON },
      nextTurn,
      deliveries: {
        oldestOf: async () => delivery,
        newestReplays: async () => new Map(),
        findSeveral: async (_: string, ids: readonly string[]) => (ids.includes(id) ? [delivery] : []),
      },
      endpoints: { listWithDeleted: async () => [endpoint] },
      sendingHolds: async () => [],
    } as unknown as Deps;
    return explainEvent(deps)(CALL, { eventId: EVENT_ID, limit: 200 });
  };

  // Regression: 500, or "undefined" as the time.
  for (const eventType of ['billing.plan_changed', 'pizza.ordered'] as const)
    for (const occurredAt of [undefined, null, 'yesterday', 7, '1969-12-31T23:59:59.999Z'])
      it(`uses the time of its id if that of the ${eventType} is ${occurredAt}`, async () => {
        const explained = await explain(eventType, { eventId: EVENT_ID, occurredAt });
        expect(explained).to.include({ eventType, occurredAt: null });
        expect(explained.items.map(({ outcome }) => outcome)).to.deep.equal(['pending']);
      });
});
