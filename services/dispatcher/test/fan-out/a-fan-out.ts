import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint, SubscribedEndpoint } from '@postrider/shared/domain/endpoint';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { Queued } from '@postrider/shared/ports/queue';
import { anEndpoint, idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { createFanOut } from '../../src/fan-out/fan-out.js';
import type { NewEvent } from '../../src/fan-out/open-event.js';
import type { ReadEvent } from '../../src/fan-out/read-event.js';
import type { HandedOver, StoredDelivery } from '../../src/ports/hand-over.js';
import { aClock, aHandedOver, aLog } from '../engine/builders.js';

/** Deliveries that are held for an endpoint. */
export const HELD_PER_ENDPOINT = 3;
export const OTHER_WORKSPACE = idFor('workspace', 'other');

/** Endpoints of a workspace. */
export const many = (count: number, workspaceId: WorkspaceId = WORKSPACE_ID) =>
  Array.from({ length: count }, (_, index) =>
    anEndpoint({ id: idFor('endpoint', `${workspaceId} ${index}`), workspaceId }),
  );

/** A fan-out over stores in memory. `calls` records the calls in order. */
export function aFanOut(endpoints: readonly Endpoint[], stores = createInMemoryStores()) {
  const calls: string[] = [];
  const chunks: (readonly Delivery[])[] = [];
  const sent: Queued[] = [];
  const handedOver: Delivery[] = [];
  const taken: HandedOver[] = [];
  const reads: number[] = [];
  const subscriptionsRead: number[] = [];
  const log = aLog();
  for (const endpoint of endpoints) stores.endpoints.set(endpoint.id, endpoint);
  const world = {
    mayHold: true,
    busy: 0,
    areUnstartedMany: false,
    hasShare: (_workspaceId: string) => true,
    monotonicMs: () => performance.now(),
    /** How far the machine's clock is ahead of the database's. */
    wallAheadMs: 0,
    mayTake: (_stored: StoredDelivery) => false,
    beforeInsert: async (_rows: readonly Delivery[]): Promise<void> => {},
    beforeEnqueue: async (_queued: readonly Queued[]): Promise<void> => {},
  };
  const count = (found: readonly SubscribedEndpoint[]) => {
    reads.push(found.length);
    subscriptionsRead.push(found.reduce((sum, { subscriptions }) => sum + subscriptions.length, 0));
  };
  const fanOut = createFanOut({
    store: {
      ...stores.fanOut,
      async subscribers(query) {
        const found = await stores.fanOut.subscribers(query);
        calls.push(`read ${query.workspaceIds.length} workspaces`);
        count(found);
        return found;
      },
      async subscribersAfter(query) {
        const found = await stores.fanOut.subscribersAfter(query);
        calls.push('read a page');
        count(found);
        return found;
      },
      async insert(rows, held) {
        calls.push(`insert ${rows.length}`);
        await world.beforeInsert(rows);
        chunks.push(rows);
        return stores.fanOut.insert(rows, held);
      },
    },
    async enqueue(queued) {
      calls.push(`enqueue ${queued.length}`);
      await world.beforeEnqueue(queued);
      sent.push(...queued);
    },
    unstartedRows: {
      areMany: () => world.areUnstartedMany,
      hasShare: (workspaceId) => world.hasShare(workspaceId),
    },
    starts: { areBehind: () => false, areBehindFor: () => false, count: () => 0 },
    handOver(stored) {
      handedOver.push(...stored.map(({ delivery }) => delivery));
      const rows = new Map(stored.filter(world.mayTake).map(({ delivery }) => [delivery.id, aHandedOver()]));
      taken.push(...rows.values());
      return rows;
    },
    mayHold: () => world.mayHold,
    heldPerEndpoint: HELD_PER_ENDPOINT,
    observer: { opened: () => null, closed: () => {} },
    isDatabaseAway: (error) => error instanceof Error && error.message === 'away',
    busy: () => world.busy,
    clock: aClock(),
    monotonicMs: () => world.monotonicMs(),
    wallMs: () => NOON.getTime() + world.wallAheadMs,
    log,
  });
  const add = (event: ReadEvent, overrides: Partial<NewEvent> = {}) =>
    new Promise<void>((done) => {
      fanOut.add({
        event,
        bytes: 100,
        queued: () => {},
        done,
        incomplete: () => {},
        isWanted: () => true,
        isRepeated: false,
        ...overrides,
      });
    });
  const { deliveries: rows } = stores;
  const seen = { calls, chunks, sent, handedOver, taken, reads, subscriptionsRead, log, rows };
  return Object.assign(world, { fanOut, add, stores, ...seen });
}
