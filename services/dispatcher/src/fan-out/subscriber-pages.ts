import { type SubscribedType, subscriptionsMatching } from '@postrider/shared/domain/event-type';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { FanOutStore } from '@postrider/shared/ports/fan-out';
import { indexSubscribers } from './index-subscribers.js';
import { isCurrent, type Page, serves } from './page.js';
import type { Lane } from './workspace-ring.js';

/** Chooses the lanes of a round and reads their next subscribers. */
export interface SubscriberPages {
  /** Takes turns until there is work for a round. */
  choose(turns: Iterable<Lane>): readonly Lane[];
  /** Reads a page for each lane whose next event has none. */
  read(lanes: readonly Lane[]): Promise<void>;
}

/** Subscribers in one page, and in one read that several workspaces share. */
export const PAGE = 500;
const SHARED = 1_000;
const LANES = 256;
/** Events of a lane whose types one page covers. */
const EVENTS_OF_LANE = 500;
/** Pages are kept for the next turns of their lanes, and dropped when they have more subscriptions than this together. */
const KEPT_SUBSCRIPTIONS = 100_000;
const REMEMBERED_WORKSPACES = 10_000;

export function createSubscriberPages(
  store: Pick<FanOutStore, 'subscribers' | 'subscribersAfter'>,
  monotonicMs: () => number,
): SubscriberPages {
  const sizes = new Map<WorkspaceId, number>();
  const paged = new Set<Lane>();
  let kept = 0;
  const keep = (lane: Lane, page: Page) => {
    lane.page = page;
    paged.add(lane);
    kept += sum(page.subscribers.map(({ subscriptions }) => subscriptions.length)) + 1;
  };
  const dropPages = () => {
    for (const lane of paged) lane.page = null;
    paged.clear();
    kept = 0;
  };
  const rememberSize = (workspaceId: WorkspaceId, size: number) => {
    sizes.delete(workspaceId);
    sizes.set(workspaceId, size);
    const [oldest] = sizes.keys();
    if (sizes.size > REMEMBERED_WORKSPACES && oldest !== undefined) sizes.delete(oldest);
  };
  const sizeOf = (workspaceId: WorkspaceId) => sizes.get(workspaceId) ?? 1;

  const readAlone = async (lane: Lane) => {
    const readAt = monotonicMs();
    const after = lane.events[0]?.after ?? null;
    const { types, upToArrival } = needsOf(lane);
    const found = await store.subscribersAfter({
      workspaceId: lane.workspaceId,
      types,
      after,
      limit: PAGE + 1,
    });
    const isLast = found.length <= PAGE;
    if (after === null || !isLast) rememberSize(lane.workspaceId, found.length);
    const subscribers = found.slice(0, PAGE);
    const subscribersOf = indexSubscribers(subscribers, types);
    keep(lane, { after, subscribers, subscribersOf, isLast, upToArrival, readAt });
  };
  const readTogether = async (lanes: readonly Lane[]) => {
    if (lanes.length === 0) return;
    const readAt = monotonicMs();
    const needs = lanes.map((lane) => ({ lane, ...needsOf(lane) }));
    const types = [...new Set(needs.flatMap((need) => need.types))];
    const workspaceIds = lanes.map(({ workspaceId }) => workspaceId);
    const found = await store.subscribers({ workspaceIds, types, limit: SHARED + 1 });
    if (found.length > SHARED) {
      await Promise.all(lanes.map(readAlone));
      return;
    }
    const byWorkspace = Map.groupBy(found, ({ workspaceId }) => workspaceId);
    for (const { lane, upToArrival, types: ofLane } of needs) {
      const subscribers = byWorkspace.get(lane.workspaceId) ?? [];
      rememberSize(lane.workspaceId, subscribers.length);
      subscribers.sort((one, other) => (one.id < other.id ? -1 : 1));
      const subscribersOf = indexSubscribers(subscribers, ofLane);
      keep(lane, { after: null, subscribers, subscribersOf, isLast: true, upToArrival, readAt });
    }
  };

  return {
    choose(turns) {
      const lanes: Lane[] = [];
      let expected = 0;
      for (const lane of turns) {
        lanes.push(lane);
        expected += Math.max(1, sizeOf(lane.workspaceId));
        if (expected >= SHARED || lanes.length === LANES) break;
      }
      return lanes;
    },
    async read(lanes) {
      if (kept > KEPT_SUBSCRIPTIONS) dropPages();
      for (const lane of lanes)
        if (lane.page !== null && !isCurrent(lane.page, monotonicMs())) lane.page = null;
      const unread = lanes.filter(({ page, events: [next] }) => next !== undefined && !serves(page, next));
      const small = unread.filter(({ workspaceId }) => sizeOf(workspaceId) <= PAGE);
      const together = small.length > 1 ? small : [];
      const alone = unread.filter((lane) => !together.includes(lane));
      await Promise.all([readTogether(together), ...alone.map(readAlone)]);
    },
  };
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

function needsOf({ events }: Lane): { types: readonly SubscribedType[]; upToArrival: number } {
  const covered = events.slice(0, EVENTS_OF_LANE);
  const types = new Set(covered.map(({ event }) => event.type));
  return {
    types: [...new Set([...types].flatMap(subscriptionsMatching))],
    upToArrival: covered.at(-1)?.arrival ?? 0,
  };
}
