import type { PoolLimits } from '../../../src/engine/scheduler/pool-limits.js';

/** A POST in flight, or a slot taken for one. */
export interface ModelPost {
  readonly number: number;
  readonly endpoint: ModelEndpoint;
  /** The pool of its slot. */
  kind: 'proven' | 'new' | 'suspect' | 'lingering';
  /** Whether it is old, or was expected to become that. */
  lingers: boolean;
  /** Whether its endpoint was not proven when it started. */
  readonly wasOnProbation: boolean;
  readonly origin: string;
  /** Null until the POST began. */
  postedAt: number | null;
}

export interface ModelEndpoint {
  readonly id: string;
  readonly workspaceId: string;
  /** That of its row. */
  origin: string;
  /** The one that was read; null until its row was read. */
  readOrigin: string | null;
  readonly failing: boolean;
  /** In the order in which they were added. */
  queue: { readonly number: number; readonly isReplay: boolean }[];
  /** Whether its origin did not admit it since it started last. */
  wasBlocked: boolean;
  last: 'prompt' | 'slow' | 'silent' | null;
  lastAt: number;
  restsUntil: number;
}

/** The rules of the scheduler, written down plainly: every count is taken anew from the POSTs in flight. */
export function schedulerModel(limits: PoolLimits, endpoints: readonly ModelEndpoint[]) {
  const world = {
    now: 0,
    posts: [] as ModelPost[],
    /** When an origin last answered promptly. */
    promptAt: new Map<string, number>(),
    /** Origins of which that is certainly remembered. */
    remembered: new Set<string>(),
  };
  const count = (matches: (post: ModelPost) => boolean) => world.posts.filter(matches).length;
  const lingeringOf = (matches: (endpoint: ModelEndpoint) => boolean) =>
    count(({ kind, endpoint }) => kind === 'lingering' && matches(endpoint));
  const lingersAt = (matches: (endpoint: ModelEndpoint) => boolean) =>
    count(({ lingers, endpoint }) => lingers && matches(endpoint));
  const inFlight = (endpoint: ModelEndpoint) => count((post) => post.endpoint === endpoint);
  const lingering = () => lingeringOf(() => true);
  const withinShares = () =>
    [...new Set(endpoints.map(({ workspaceId }) => workspaceId))].reduce(
      (sum, id) =>
        sum +
        Math.min(
          limits.perWorkspace,
          lingeringOf((one) => one.workspaceId === id),
        ),
      0,
    );
  const standing = (endpoint: ModelEndpoint) => {
    const { last, lastAt, failing, readOrigin } = endpoint;
    if (last === 'silent' || last === 'slow') return last;
    if (lingersAt((one) => one === endpoint) > 0)
      return last === 'prompt' && world.now - lastAt < 1_000 ? 'slow' : 'silent';
    if (last === 'prompt') return 'proven';
    return failing && readOrigin !== null ? 'suspect' : 'new';
  };
  /** A quarter is kept for new endpoints. */
  const reduced = (endpoint: ModelEndpoint, limit: number) =>
    standing(endpoint) === 'new' || standing(endpoint) === 'proven' ? limit : limit - Math.floor(limit / 4);
  /** @param certainly whether it does so even if its answer is forgotten, or, if false, whether it may do so */
  const originAdmits = (endpoint: ModelEndpoint, certainly: boolean): boolean => {
    const { readOrigin: origin, workspaceId } = endpoint;
    if (origin === null) return true;
    const isRemembered = !certainly || world.remembered.has(origin);
    const promptAt = isRemembered ? world.promptAt.get(origin) : undefined;
    const answers = promptAt !== undefined && world.now - promptAt <= 1_000;
    const atOrigin = world.posts.filter(
      (post) => post.origin === origin && (post.lingers || (post.wasOnProbation && !answers)),
    );
    const own = atOrigin.filter((post) => post.endpoint.workspaceId === workspaceId).length;
    const limit = own === 0 ? limits.perOrigin : limits.perOrigin - Math.floor(limits.perOrigin / 4);
    return atOrigin.length < limit || (standing(endpoint) === 'proven' && answers);
  };
  const workspaceAdmits = (endpoint: ModelEndpoint): boolean => {
    const own = lingeringOf(({ workspaceId }) => workspaceId === endpoint.workspaceId);
    if (own < reduced(endpoint, limits.perWorkspace)) return true;
    return standing(endpoint) === 'proven' && lingering() < limits.lingering;
  };
  /** A multiple of the prompt slots that are free, at most. */
  const leavesRoom = (endpoint: ModelEndpoint): boolean => {
    const prompt = count(({ kind }) => kind !== 'lingering');
    const probation = count(({ kind }) => kind === 'new' || kind === 'suspect');
    const own = count(
      (post) => post.kind !== 'lingering' && post.endpoint.workspaceId === endpoint.workspaceId,
    );
    switch (standing(endpoint)) {
      case 'slow':
      case 'silent':
        return true;
      case 'proven':
        return own < limits.perFree * (limits.prompt - prompt);
      default:
        return own < limits.perFree * Math.min(limits.prompt - prompt, limits.probation - probation);
    }
  };
  const hasRoom = (endpoint: ModelEndpoint): boolean => {
    const prompt = count(({ kind }) => kind !== 'lingering');
    const suspects = count(({ kind }) => kind === 'suspect');
    const probation = suspects + count(({ kind }) => kind === 'new');
    switch (standing(endpoint)) {
      case 'proven':
        return prompt < limits.prompt && lingering() < 2 * limits.lingering;
      case 'slow':
      case 'silent':
        return withinShares() < reduced(endpoint, limits.lingering);
      default:
        return (
          prompt < limits.prompt &&
          probation < limits.probation &&
          withinShares() + probation < reduced(endpoint, limits.lingering) &&
          (standing(endpoint) === 'new' || suspects < limits.suspect)
        );
    }
  };
  /** A second POST to a slow endpoint is permitted while the pool is calm, but may wait for its next event. */
  const capOf = (endpoint: ModelEndpoint, more: boolean): number => {
    const is = standing(endpoint);
    return is === 'proven' || (is === 'slow' && more) ? limits.perEndpoint : 1;
  };
  const startable = (certainly: boolean, more: boolean) =>
    endpoints.filter(
      (endpoint) =>
        endpoint.queue.length > 0 &&
        endpoint.restsUntil <= world.now &&
        inFlight(endpoint) < capOf(endpoint, more) &&
        hasRoom(endpoint) &&
        leavesRoom(endpoint) &&
        workspaceAdmits(endpoint) &&
        originAdmits(endpoint, certainly),
    );
  /** Others that are blocked at its origin may start first, and it starts after one of them has ended. */
  const waitsForOthers = ({ wasBlocked, readOrigin }: ModelEndpoint) =>
    wasBlocked && count(({ origin }) => origin === readOrigin) > 0;
  return {
    ...world,
    world,
    standing,
    originAdmits,
    hasRoom,
    workspaceAdmits,
    inFlight,
    lingering,
    /** The endpoints of which one must start now. */
    must: () => startable(true, false).filter((endpoint) => !waitsForOthers(endpoint)),
    /** The endpoints that may start now. */
    may: () => startable(false, lingering() * 2 < limits.lingering),
  };
}

export type SchedulerModel = ReturnType<typeof schedulerModel>;
