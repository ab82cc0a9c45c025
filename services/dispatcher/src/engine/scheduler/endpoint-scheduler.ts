import type { Lane } from './lane.js';
import { createLanes, type EndpointRef } from './lanes.js';
import type { PoolLimits } from './pool-limits.js';
import { createPools, type PoolFigures } from './pools.js';
import { queueLimit, rateOf, takeToken } from './rate.js';
import { restAfterUnattempted } from './rests.js';
import { createRowBytes } from './row-bytes.js';
import { createSlotQueues } from './slot-queues.js';
import { createSlots, type Slot } from './slots.js';
import {
  endingOf,
  forgetEnding,
  type KnownEndpoint,
  nothingKnown,
  type PostEnd,
  type Standing,
  standingOf,
} from './standing.js';

/** The facts of an endpoint's row that decide on its slots. */
export interface RowFacts {
  /** Null if the URL is invalid. */
  readonly origin: string | null;
  /** Whether its stored failure streak is above 0. */
  readonly failing: boolean;
  /** The size of the row, in bytes. */
  readonly bytes: number;
  /** Maximum number of POSTs that start in a second; null or absent for no limit. */
  readonly ratePerSecond?: number | null;
}

export interface SchedulerFigures extends PoolFigures {
  readonly inFlight: number;
  /** Endpoints that wait because too many POSTs to their origin linger or have no answer yet. */
  readonly blocked: number;
  /** The size of the rows of POSTs, in bytes. */
  readonly rowBytes: number;
}

/**
 * Decides which job starts next: fair across workspaces, then across the endpoints of each, by the slots that they use now,
 * then an endpoint's regular deliveries before those of replay jobs. An endpoint is judged by the age of its POSTs in
 * flight, so that endpoints that stop answering do not delay others.
 */
export interface EndpointScheduler<Job> {
  enqueue(endpoint: EndpointRef, job: Job): void;
  /** Removes and returns the next job and takes a slot for it; null if nothing may start now. */
  next(): Job | null;
  /** The known origin of an endpoint; null until its row was read. */
  origin(endpointId: string): string | null;
  /**
   * Records the origin of an endpoint that was read at a time. If it has another one than before, its jobs no longer wait for that
   * one. A read from before the last change is ignored.
   */
  learnOrigin(endpointId: string, origin: string | null, readAt: number): void;
  /** Records the facts of the endpoint's row. @returns false if the job must not start now; it is then queued again */
  confirm(job: Job, facts: RowFacts): boolean;
  /** Frees the slot of a job whose row was not read, and queues it again in its place. */
  putBack(job: Job): void;
  /** The same for a job that was not sent: its endpoint rests for some milliseconds. */
  putBackToRest(job: Job, restMs: number): void;
  /** Its POST begins now. */
  postBegins(job: Job): void;
  /** Frees the slot of a job. `end` is null if nothing was POSTed. */
  release(job: Job, end: PostEnd | null): void;
  /** Frees the slot of a job whose attempt cannot be made. Its endpoint is silent now and rests, longer after each such try. */
  releaseUnattempted(job: Job): void;
  /** Moves POSTs that have become old to the lingering pool. @returns the jobs of those whose endpoints are silent now */
  age(): readonly Job[];
  /** When the next POST begins to linger; null if none is prompt. */
  nextAgeAt(): number | null;
  /** Lets endpoints start whose rate admits another POST, or whose rest has ended. */
  wake(): void;
  /** The earliest time at which a rate admits another POST or a rest ends; null if no endpoint waits for that. */
  nextWakeAt(): number | null;
  standing(endpointId: string): Standing;
  /** How many jobs of an endpoint may be queued: with a rate, those of the next seconds. */
  queueLimit(endpointId: string): number;
  queued(endpointId: string): number;
  /** How many jobs of an endpoint have a slot. */
  inFlight(endpointId: string): number;
  /** The next jobs of an endpoint, in order. */
  upcoming(endpointId: string, count: number): readonly Job[];
  /** Removes and returns the jobs queued for an endpoint behind the first `keep`. */
  cutQueue(endpointId: string, keep: number): readonly Job[];
  endpoints(): Iterable<string>;
  /** The number of workspaces with jobs that wait for this process alone: their endpoints answer, and slots are free. */
  awaitingStart(): number;
  /** The number of a workspace's endpoints with such jobs. */
  awaitingStartOf(workspaceId: string): number;
  figures(): SchedulerFigures;
}

interface SchedulerOptions<Job> {
  /** Whether a job comes from a replay job: it starts after all others of its endpoint. */
  readonly isReplay: (job: Job) => boolean;
  /** Called when an endpoint begins to wait for its rate, or to rest. */
  readonly onPaced: () => void;
  /** How long an endpoint rests after a POST that timed out after `durationMs`, in milliseconds. */
  readonly restAfter: (durationMs: number) => number;
}

/** Maximum number of endpoints of which this process remembers how they answer. */
const MAX_KNOWN_ENDPOINTS = 50_000;

export function createEndpointScheduler<Job>(
  limits: PoolLimits,
  monotonicMs: () => number,
  { isReplay, onPaced, restAfter }: SchedulerOptions<Job>,
): EndpointScheduler<Job> {
  const pools = createPools(limits);
  const rows = createRowBytes(limits);
  const queues = createSlotQueues<Job>({ limits, pools, rows, monotonicMs, onPaced });
  const slots = createSlots<Job>({ pools, rows, queues, monotonicMs });
  const lanes = createLanes<Job>({ maxKnown: MAX_KNOWN_ENDPOINTS, onWorkspaceIdle: queues.forget, isReplay });

  const learnEnd = ({ lane: { known }, origin }: Slot<Job>, end: PostEnd) => {
    known.unattemptedTries = 0;
    // The endpoint may have another origin by now, about which this end says nothing.
    if (origin !== known.origin) return;
    known.last = endingOf(end);
    known.lastAt = monotonicMs();
    known.restsUntil = known.last === 'silent' ? monotonicMs() + restAfter(end.durationMs) : 0;
    if (known.last === 'prompt' && known.origin !== null) queues.originAnswered(known.origin);
  };
  const learnUnattempted = ({ lane: { known } }: Slot<Job>) => {
    const now = monotonicMs();
    known.last = 'silent';
    known.lastAt = now;
    // Several attempts that began together are one try.
    if (known.restsUntil > now) return;
    known.unattemptedTries += 1;
    known.restsUntil = now + restAfterUnattempted(known.unattemptedTries);
  };
  const free = (job: Job, learn: (slot: Slot<Job>) => void) => {
    const slot = slots.of(job);
    if (slot === undefined) return;
    slots.free(slot);
    learn(slot);
    queues.place(slot.lane);
    lanes.removeIfIdle(slot.lane);
  };
  const knownOf = (endpointId: string) => lanes.get(endpointId)?.known ?? lanes.known(endpointId);
  /** @param lane undefined if the endpoint has no work */
  const move = (known: KnownEndpoint, lane: Lane<Job> | undefined, readAt: number) => {
    forgetEnding(known);
    known.movedAt = readAt;
    if (lane === undefined) return;
    // It may be waiting for the old origin.
    lane.waitsFor = null;
    queues.place(lane);
  };
  const learnRow = (lane: Lane<Job>, { origin, failing, ratePerSecond = null }: RowFacts) => {
    const { known } = lane;
    if (known.origin !== null && known.origin !== origin) move(known, lane, monotonicMs());
    known.origin = origin;
    known.failing = failing;
    known.rate = rateOf(known.rate, ratePerSecond, monotonicMs());
  };
  /** Whether a job may keep the slot that it took before its endpoint's row was read. */
  const mayKeep = (slot: Slot<Job>): boolean => {
    const { known } = slot.lane;
    // A slot that was taken for another origin was not admitted at this one.
    if (slot.origin !== null) return slot.origin === known.origin;
    if (slot.kind === 'new' && known.failing && !slots.makeSuspect(slot)) return false;
    return queues.isAdmitted(slot.lane, slot.kind);
  };
  const putBack = (slot: Slot<Job>) => {
    slot.lane.queue.unshift(slot.job);
    slots.free(slot);
    if (slot.origin !== null) queues.unblockOthers(slot.origin);
    queues.place(slot.lane);
  };

  return {
    enqueue(endpoint, job) {
      const lane = lanes.of(endpoint);
      lane.queue.push(job);
      queues.place(lane);
    },
    next() {
      const found = queues.next();
      const job = found?.lane.queue.shift();
      if (found === null || job === undefined) return null;
      slots.take(found.lane, found.kind, job);
      queues.place(found.lane);
      return job;
    },
    origin: (endpointId) => knownOf(endpointId)?.origin ?? null,
    learnOrigin(endpointId, origin, readAt) {
      const lane = lanes.get(endpointId);
      const known = knownOf(endpointId);
      const old = known?.origin ?? null;
      if (known === null || old === null || old === origin || readAt < known.movedAt) return;
      move(known, lane, readAt);
      known.origin = origin;
      // Others may have stayed blocked because this endpoint came before them.
      queues.unblockOthers(old);
    },
    confirm(job, facts) {
      const slot = slots.of(job);
      if (slot === undefined) return false;
      learnRow(slot.lane, facts);
      const { rate } = slot.lane.known;
      const isConfirmed =
        slots.addRow(slot, facts.bytes) && mayKeep(slot) && (rate === null || takeToken(rate, monotonicMs()));
      if (isConfirmed) slots.confirm(slot);
      else putBack(slot);
      return isConfirmed;
    },
    putBack(job) {
      const slot = slots.of(job);
      if (slot !== undefined) putBack(slot);
    },
    putBackToRest(job, restMs) {
      const slot = slots.of(job);
      if (slot === undefined) return;
      const { known } = slot.lane;
      known.restsUntil = Math.max(known.restsUntil, monotonicMs() + restMs);
      putBack(slot);
    },
    postBegins(job) {
      const slot = slots.of(job);
      if (slot !== undefined) slots.postBegins(slot);
    },
    release: (job, end) =>
      free(job, (slot) => {
        if (end !== null) learnEnd(slot, end);
      }),
    releaseUnattempted: (job) => free(job, learnUnattempted),
    age() {
      const silent: Job[] = [];
      slots.age(({ lane, job }) => {
        if (queues.standing(lane) === 'silent') silent.push(job);
      });
      return silent;
    },
    nextAgeAt: slots.nextAgeAt,
    wake: queues.wake,
    nextWakeAt: queues.nextWakeAt,
    queueLimit: (endpointId) => queueLimit(lanes.known(endpointId)?.rate ?? null),
    standing(endpointId) {
      const lane = lanes.get(endpointId);
      if (lane !== undefined) return queues.standing(lane);
      return standingOf(lanes.known(endpointId) ?? nothingKnown(), 0, monotonicMs());
    },
    queued: (endpointId) => lanes.get(endpointId)?.queue.size ?? 0,
    inFlight: (endpointId) => lanes.get(endpointId)?.inFlight ?? 0,
    upcoming: (endpointId, count) => lanes.get(endpointId)?.queue.first(count) ?? [],
    cutQueue(endpointId, keep) {
      const lane = lanes.get(endpointId);
      if (lane === undefined) return [];
      const cut = lane.queue.cutAfter(keep);
      const { origin } = lane.known;
      // Others may have stayed blocked because this endpoint came before them.
      if (lane.queue.size === 0 && origin !== null) queues.unblockOthers(origin);
      lanes.removeIfIdle(lane);
      return cut;
    },
    endpoints: () => lanes.endpoints(),
    awaitingStart: queues.awaitingStart,
    awaitingStartOf(workspaceId) {
      const workspace = lanes.workspace(workspaceId);
      return workspace === undefined ? 0 : queues.awaitingStartOf(workspace);
    },
    figures: () => ({
      ...pools.figures(),
      inFlight: slots.size(),
      blocked: queues.blocked(),
      rowBytes: rows.total(),
    }),
  };
}
