import { Fifo } from './fifo.js';
import { originLimit, type PoolLimits } from './pool-limits.js';
import { PROMPT_MS } from './standing.js';

/** Who wants to start a POST to an origin. */
export interface Applicant {
  readonly workspaceId: string;
  readonly proven: boolean;
}

/**
 * Limits the lingering POSTs to each origin (scheme, host and port) over all workspaces. A proven endpoint is admitted
 * above the limit while its origin answers promptly, so that slow endpoints on a shared host do not stop others there.
 */
export interface Origins<Item> {
  admits(name: string, by: Applicant, now: number): boolean;
  /** Counts a POST that lingers at the origin, or no longer does. */
  lingers(name: string, workspaceId: string, change: 1 | -1): void;
  /** The origin answered promptly. @returns the items that wait for nothing but that */
  answered(name: string, now: number): readonly Item[];
  /** Keeps an item until the origin admits it. */
  block(name: string, by: Applicant, item: Item): void;
  /** Removes and returns, for each workspace, as many blocked items as could start if it were alone. */
  unblock(name: string): readonly Item[];
  /** Items that wait for their origin. */
  blocked(): number;
}

interface Share<Item> {
  lingering: number;
  readonly proven: Fifo<Item>;
  readonly others: Fifo<Item>;
}

interface Origin<Item> {
  lingering: number;
  blocked: number;
  /** When one of its endpoints last answered promptly. */
  promptAt: number;
  readonly shares: Map<string, Share<Item>>;
}

export function createOrigins<Item>(limits: Pick<PoolLimits, 'perOrigin'>): Origins<Item> {
  const origins = new Map<string, Origin<Item>>();
  let blocked = 0;
  const originOf = (name: string): Origin<Item> => {
    const existing = origins.get(name);
    if (existing !== undefined) return existing;
    const created = { lingering: 0, blocked: 0, promptAt: Number.NEGATIVE_INFINITY, shares: new Map() };
    origins.set(name, created);
    return created;
  };
  const shareOf = ({ shares }: Origin<Item>, workspaceId: string): Share<Item> => {
    const existing = shares.get(workspaceId);
    if (existing !== undefined) return existing;
    const created = { lingering: 0, proven: new Fifo<Item>(), others: new Fifo<Item>() };
    shares.set(workspaceId, created);
    return created;
  };
  const answers = ({ promptAt }: Origin<Item>, now: number) => now - promptAt <= PROMPT_MS;
  const roomFor = ({ lingering }: Origin<Item>, own: number) =>
    Math.max(originLimit(limits, own) - lingering, 0);
  const isUsed = ({ lingering, proven, others }: Share<Item>) =>
    lingering > 0 || proven.size > 0 || others.size > 0;
  /** Removes items of every share, and the records that are no longer needed. */
  const drain = (name: string, from: (share: Share<Item>) => readonly Item[]): readonly Item[] => {
    const origin = origins.get(name);
    if (origin === undefined) return [];
    const drained: Item[] = [];
    for (const [workspaceId, share] of origin.shares) {
      drained.push(...from(share));
      if (!isUsed(share)) origin.shares.delete(workspaceId);
    }
    origin.blocked -= drained.length;
    blocked -= drained.length;
    if (origin.shares.size === 0) origins.delete(name);
    return drained;
  };
  return {
    admits(name, { workspaceId, proven }, now) {
      const origin = origins.get(name);
      if (origin === undefined) return true;
      const own = origin.shares.get(workspaceId)?.lingering ?? 0;
      return roomFor(origin, own) > 0 || (proven && answers(origin, now));
    },
    lingers(name, workspaceId, change) {
      const origin = originOf(name);
      origin.lingering += change;
      const share = shareOf(origin, workspaceId);
      share.lingering += change;
      if (!isUsed(share)) origin.shares.delete(workspaceId);
      if (origin.shares.size === 0) origins.delete(name);
    },
    answered(name, now) {
      const origin = origins.get(name);
      if (origin === undefined) return [];
      const wasSilent = !answers(origin, now);
      origin.promptAt = now;
      return wasSilent && origin.blocked > 0 ? drain(name, ({ proven }) => proven.cutAfter(0)) : [];
    },
    block(name, { workspaceId, proven }, item) {
      const origin = originOf(name);
      shareOf(origin, workspaceId)[proven ? 'proven' : 'others'].push(item);
      origin.blocked += 1;
      blocked += 1;
    },
    unblock(name) {
      const origin = origins.get(name);
      if (origin === undefined || origin.blocked === 0) return [];
      return drain(name, (share) => {
        const room = roomFor(origin, share.lingering);
        const proven = shiftUpTo(share.proven, room);
        return [...proven, ...shiftUpTo(share.others, room - proven.length)];
      });
    },
    blocked: () => blocked,
  };
}

function shiftUpTo<Item>(items: Fifo<Item>, count: number): Item[] {
  const shifted: Item[] = [];
  while (shifted.length < count) {
    const item = items.shift();
    if (item === undefined) break;
    shifted.push(item);
  }
  return shifted;
}
