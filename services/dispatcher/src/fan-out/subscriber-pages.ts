import type { SubscribedEndpoint } from '@postrider/shared/domain/endpoint';
import { costOfReading } from '@postrider/shared/domain/endpoint-size';
import { type SubscribedType, subscriptionsMatching } from '@postrider/shared/domain/event-type';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { FanOutStore, SubscribersLimit } from '@postrider/shared/ports/fan-out';
import { LRUCache } from 'lru-cache';
import { indexSubscribers } from './index-subscribers.js';
import { isCurrent, type Page, serves } from './page.js';
import type { Lane } from './workspace-ring.js';

/** Chooses the lanes of a round and reads their next subscribers. */
export interface SubscriberPages {
  /** Takes lanes in turn until there is work for a round. */
  choose(turns: Iterable<Lane>): readonly Lane[];
  /**
   * Reads a page for each lane whose next event has none.
   *
   * @returns the lanes that have to be read in another round
   */
  read(lanes: readonly Lane[]): Promise<readonly Lane[]>;
}

/**
 * Limits of one page, and of one read that several workspaces share. All lanes of a round wait for all of its reads, and decoding
 * 20,000 subscriptions takes some 20 ms. A workspace with more than a page is read for each event, so pages are not smaller.
 */
const PAGE: SubscribersLimit = { endpoints: 500, cost: 20_000 };
const SHARED: SubscribersLimit = { endpoints: 1_000, cost: 40_000 };
const LANES = 256;
/** Maximum number of lanes read in one round if they turn out to have too many subscribers for a shared read. */
const READ_INSTEAD = 8;
/** Maximum number of a lane's events whose types one page covers. */
const EVENTS_OF_LANE = 500;
/** Pages are kept for the next turns of their lanes, and all are dropped once reading them cost more than this in total. */
const KEPT_COST = 100_000;
const REMEMBERED_WORKSPACES = 10_000;

/** The size of a workspace at its last read. */
interface Size {
  readonly endpoints: number;
  readonly cost: number;
  /** Whether the read found all of it, and it fits into a page. */
  readonly isSmall: boolean;
}

const UNKNOWN: Size = { endpoints: 1, cost: 1, isSmall: true };

export function createSubscriberPages(
  store: Pick<FanOutStore, 'subscribers' | 'subscribersAfter'>,
  monotonicMs: () => number,
): SubscriberPages {
  const sizes = new LRUCache<WorkspaceId, Size>({ max: REMEMBERED_WORKSPACES });
  const paged = new Set<Lane>();
  let kept = 0;
  const keep = (lane: Lane, page: Page, cost: number) => {
    lane.page = page;
    paged.add(lane);
    kept += cost + 1;
  };
  const dropPages = () => {
    for (const lane of paged) lane.page = null;
    paged.clear();
    kept = 0;
  };
  const sizeOf = (workspaceId: WorkspaceId) => sizes.get(workspaceId) ?? UNKNOWN;

  const readAlone = async (lane: Lane) => {
    const readAt = monotonicMs();
    const after = lane.events[0]?.after ?? null;
    const { types, upToArrival } = needsOf(lane);
    const { workspaceId } = lane;
    const endpoints = endpointsInPage(sizeOf(workspaceId));
    const limit = { ...PAGE, endpoints: endpoints + 1 };
    const found = await store.subscribersAfter({ workspaceId, types, after, limit });
    const cost = costOf(found);
    const isLast = found.length <= endpoints && cost < PAGE.cost;
    const isSmall = after === null && isLast;
    if (after === null || !isLast) sizes.set(workspaceId, { endpoints: found.length, cost, isSmall });
    const subscribers = found.slice(0, endpoints);
    const subscribersOf = indexSubscribers(subscribers, types);
    keep(lane, { after, subscribers, subscribersOf, isLast, upToArrival, readAt }, cost);
  };
  /** @returns the lanes that were not read */
  const readTogether = async (lanes: readonly Lane[]): Promise<readonly Lane[]> => {
    if (lanes.length === 0) return [];
    const readAt = monotonicMs();
    const needs = lanes.map((lane) => ({ lane, ...needsOf(lane) }));
    const types = [...new Set(needs.flatMap((need) => need.types))];
    const workspaceIds = lanes.map(({ workspaceId }) => workspaceId);
    const limit = { ...SHARED, endpoints: SHARED.endpoints + 1 };
    const found = await store.subscribers({ workspaceIds, types, limit });
    if (!isWithin(SHARED, { endpoints: found.length, cost: costOf(found) })) {
      await Promise.all(lanes.slice(0, READ_INSTEAD).map(readAlone));
      return lanes.slice(READ_INSTEAD);
    }
    const byWorkspace = Map.groupBy(found, ({ workspaceId }) => workspaceId);
    for (const { lane, upToArrival, types: ofLane } of needs) {
      const subscribers = byWorkspace.get(lane.workspaceId) ?? [];
      const size = { endpoints: subscribers.length, cost: costOf(subscribers) };
      sizes.set(lane.workspaceId, { ...size, isSmall: isWithin(PAGE, size) });
      subscribers.sort((one, other) => (one.id < other.id ? -1 : 1));
      const subscribersOf = indexSubscribers(subscribers, ofLane);
      keep(lane, { after: null, subscribers, subscribersOf, isLast: true, upToArrival, readAt }, size.cost);
    }
    return [];
  };

  return {
    choose(turns) {
      const lanes: Lane[] = [];
      const expected = { endpoints: 0, cost: 0 };
      for (const lane of turns) {
        lanes.push(lane);
        const { endpoints, cost } = sizeOf(lane.workspaceId);
        expected.endpoints += Math.max(1, endpoints);
        expected.cost += cost;
        const isFull = expected.endpoints >= SHARED.endpoints || expected.cost >= SHARED.cost;
        if (isFull || lanes.length === LANES) break;
      }
      return lanes;
    },
    async read(lanes) {
      if (kept > KEPT_COST) dropPages();
      for (const lane of lanes)
        if (lane.page !== null && !isCurrent(lane.page, monotonicMs())) lane.page = null;
      const unread = lanes.filter(({ page, events: [next] }) => next !== undefined && !serves(page, next));
      const small = unread.filter(({ workspaceId }) => sizeOf(workspaceId).isSmall);
      const together = small.length > 1 ? small : [];
      const alone = unread.filter((lane) => !together.includes(lane));
      const [notRead] = await Promise.all([readTogether(together), ...alone.map(readAlone)]);
      return notRead;
    },
  };
}

const costOf = (subscribers: readonly SubscribedEndpoint[]) =>
  subscribers.reduce((sum, subscriber) => sum + costOfReading(subscriber), 0);

/** Whether a read that may have stopped at a limit found everything. */
function isWithin(limit: SubscribersLimit, { endpoints, cost }: Pick<Size, 'endpoints' | 'cost'>): boolean {
  return endpoints <= limit.endpoints && cost < limit.cost;
}

/** How many endpoints to request, so that the database sends none that are not decoded. */
function endpointsInPage({ endpoints, cost }: Size): number {
  const each = Math.max(cost / Math.max(endpoints, 1), 1);
  return Math.min(PAGE.endpoints, Math.ceil(PAGE.cost / each));
}

function needsOf({ events }: Lane): { types: readonly SubscribedType[]; upToArrival: number } {
  const covered = events.slice(0, EVENTS_OF_LANE);
  const types = new Set(covered.map(({ event }) => event.type));
  return {
    types: [...new Set([...types].flatMap(subscriptionsMatching))],
    upToArrival: covered.at(-1)?.arrival ?? 0,
  };
}
