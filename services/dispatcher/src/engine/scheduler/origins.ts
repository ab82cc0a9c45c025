import { Fifo } from './fifo.js';
import { originLimit, type PoolLimits } from './pool-limits.js';
import { PROMPT_MS } from './standing.js';

/** Who wants to start a POST to an origin. */
export interface Applicant {
  readonly workspaceId: string;
  readonly proven: boolean;
}

/** How a POST counts at its origin: it lingers, or it is one of an endpoint on probation that has not lingered yet. */
export type CountedAs = 'lingering' | 'onProbation';

/**
 * Limits the POSTs to each origin (scheme, host and port) over all workspaces: those that linger and, until the origin answers
 * promptly, those to endpoints on probation. A proven endpoint is admitted above the limit while its origin answers promptly,
 * so that slow endpoints on a shared host do not stop others there.
 */
export interface Origins<Item> {
  admits(name: string, by: Applicant, now: number): boolean;
  /** Counts a POST at the origin, or no longer does. */
  count(name: string, workspaceId: string, as: CountedAs, change: 1 | -1): void;
  /**
   * The origin answered promptly.
   *
   * @returns the proven items that waited only for that, after which others may have room; null if it changes nothing
   */
  answered(name: string, now: number): readonly Item[] | null;
  /** Keeps an item until the origin admits it. */
  block(name: string, by: Applicant, item: Item): void;
  /**
   * Removes and returns blocked items, of one workspace after the other: a few more than there is room for, since some of
   * them may wait for something else as well.
   */
  unblock(name: string, now: number): readonly Item[];
  /** Whether a POST lingers at the origin. */
  isLingering(name: string): boolean;
  /** Items that wait for their origin. */
  blocked(): number;
}

/** Numbers of POSTs. */
type Counts = Record<CountedAs, number>;

/** A workspace's POSTs and blocked items at an origin. */
interface Share<Item> {
  readonly workspaceId: string;
  readonly posts: Counts;
  readonly proven: Fifo<Item>;
  readonly others: Fifo<Item>;
}

interface Origin<Item> {
  readonly posts: Counts;
  /** When one of its endpoints last answered promptly. */
  promptAt: number;
  readonly shares: Map<string, Share<Item>>;
  /** Shares with blocked items, in turn. */
  readonly turns: Fifo<Share<Item>>;
}

/** Items that are unblocked beyond an origin's room: about this many workspaces can use all the slots that they may. */
const SPARE_ITEMS = 10;

/** @param isCurrent whether an item still waits; others are dropped */
export function createOrigins<Item>(
  limits: Pick<PoolLimits, 'perOrigin'>,
  isCurrent: (item: Item) => boolean,
): Origins<Item> {
  const origins = new Map<string, Origin<Item>>();
  let blocked = 0;
  const originOf = (name: string): Origin<Item> => {
    const existing = origins.get(name);
    if (existing !== undefined) return existing;
    const created = {
      posts: { lingering: 0, onProbation: 0 },
      promptAt: Number.NEGATIVE_INFINITY,
      shares: new Map(),
      turns: new Fifo<Share<Item>>(),
    };
    origins.set(name, created);
    return created;
  };
  const shareOf = ({ shares }: Origin<Item>, workspaceId: string): Share<Item> => {
    const existing = shares.get(workspaceId);
    if (existing !== undefined) return existing;
    const created = {
      workspaceId,
      posts: { lingering: 0, onProbation: 0 },
      proven: new Fifo<Item>(),
      others: new Fifo<Item>(),
    };
    shares.set(workspaceId, created);
    return created;
  };
  const answers = ({ promptAt }: Origin<Item>, now: number) => now - promptAt <= PROMPT_MS;
  /** How many more POSTs the origin admits, for a workspace with a share in it or for one without. */
  const roomFor = (origin: Origin<Item>, share: Share<Item> | undefined, now: number) => {
    const counted = ({ lingering, onProbation }: Counts) =>
      answers(origin, now) ? lingering : lingering + onProbation;
    const own = share === undefined ? 0 : counted(share.posts);
    return Math.max(originLimit(limits, own) - counted(origin.posts), 0);
  };
  const hasBlocked = ({ proven, others }: Share<Item>) => proven.size > 0 || others.size > 0;
  const removeUnused = (name: string, origin: Origin<Item>, share: Share<Item>) => {
    if (share.posts.lingering > 0 || share.posts.onProbation > 0 || hasBlocked(share)) return;
    origin.shares.delete(share.workspaceId);
    if (origin.shares.size === 0) origins.delete(name);
  };
  /** Removes items of the share whose turn it is, and puts it behind the others. */
  const takeInTurn = (
    name: string,
    origin: Origin<Item>,
    take: (share: Share<Item>) => readonly Item[],
  ): readonly Item[] => {
    const share = origin.turns.shift();
    if (share === undefined) return [];
    const items = take(share);
    blocked -= items.length;
    if (hasBlocked(share)) origin.turns.push(share);
    else removeUnused(name, origin, share);
    return items;
  };
  return {
    admits(name, { workspaceId, proven }, now) {
      const origin = origins.get(name);
      if (origin === undefined) return true;
      const share = origin.shares.get(workspaceId);
      return roomFor(origin, share, now) > 0 || (proven && answers(origin, now));
    },
    count(name, workspaceId, as, change) {
      const origin = originOf(name);
      origin.posts[as] += change;
      const share = shareOf(origin, workspaceId);
      share.posts[as] += change;
      removeUnused(name, origin, share);
    },
    answered(name, now) {
      const origin = origins.get(name);
      if (origin === undefined) return null;
      const wasSilent = !answers(origin, now);
      origin.promptAt = now;
      if (!wasSilent) return null;
      const shares = Array.from({ length: origin.turns.size });
      return shares.flatMap(() => takeInTurn(name, origin, ({ proven }) => proven.cutAfter(0)));
    },
    block(name, { workspaceId, proven }, item) {
      const origin = originOf(name);
      const share = shareOf(origin, workspaceId);
      if (!hasBlocked(share)) origin.turns.push(share);
      share[proven ? 'proven' : 'others'].push(item);
      blocked += 1;
    },
    unblock(name, now) {
      const origin = origins.get(name);
      const room = origin === undefined ? 0 : roomFor(origin, undefined, now);
      if (origin === undefined || room === 0) return [];
      const unblocked: Item[] = [];
      const taken = new Map<Share<Item>, number>();
      /** Consecutive shares without an item that may be unblocked. */
      let passed = 0;
      while (unblocked.length < room + SPARE_ITEMS && passed < origin.turns.size) {
        const items = takeInTurn(name, origin, (share) => {
          const count = taken.get(share) ?? 0;
          if (count >= roomFor(origin, share, now)) return [];
          const item = share.proven.shift() ?? share.others.shift();
          if (item === undefined) return [];
          if (isCurrent(item)) taken.set(share, count + 1);
          return [item];
        });
        unblocked.push(...items.filter(isCurrent));
        passed = items.length === 0 ? passed + 1 : 0;
      }
      return unblocked;
    },
    isLingering: (name) => (origins.get(name)?.posts.lingering ?? 0) > 0,
    blocked: () => blocked,
  };
}
