import { type Ageing, createAgeing } from './ageing.js';
import type { Lane, Slot } from './lane.js';
import { createLanes, type Owner } from './lanes.js';
import type { PoolLimits } from './pool-limits.js';
import { createPools, type PoolFigures, type SlotKind } from './pools.js';
import { mostQueued, rateOf, takeToken } from './rate.js';
import { createRests } from './rests.js';
import { createSlotQueues } from './slot-queues.js';
import {
  endingOf,
  forgetEnding,
  nothingKnown,
  type PostEnd,
  PROBATION_MS,
  PROMPT_MS,
  type Standing,
  standingOf,
} from './standing.js';

/** The facts of an endpoint's row that decide on its slots. */
export interface EndpointFacts {
  /** Null if the URL is invalid. */
  readonly origin: string | null;
  /** Whether its stored failure streak is above 0. */
  readonly failing: boolean;
  /** The most POSTs that start in a second; null or absent for no limit. */
  readonly ratePerSecond?: number | null;
}

export interface SchedulerFigures extends PoolFigures {
  readonly inFlight: number;
  /** Endpoints that wait for their origin. */
  readonly blocked: number;
}

/**
 * Decides which job starts next: fair over workspaces, then over the endpoints of each, by the slots that they use now, then
 * the other deliveries of an endpoint before those of replay jobs.
 * An endpoint is judged by the age of what is in flight, so that endpoints that stop answering delay no other endpoint.
 */
export interface EndpointScheduler<Job> {
  enqueue(owner: Owner, job: Job): void;
  /** Removes and returns the next job and takes a slot for it; null if nothing may start now. */
  next(): Job | null;
  /** Records what the endpoint's row says. @returns false if the job must not start now; it is queued again then */
  confirm(job: Job, facts: EndpointFacts): boolean;
  /** Its POST begins now. */
  posted(job: Job): void;
  /** Frees the slot of a job. `end` is null if nothing was POSTed. */
  release(job: Job, end: PostEnd | null): void;
  /** Moves POSTs that have become old to the lingering pool. @returns the jobs of those whose endpoints are silent now */
  age(): readonly Job[];
  /** When a POST begins to linger next; null if none is prompt. */
  nextAgeAt(): number | null;
  /** Lets endpoints start whose rate admits another POST, or whose rest has ended. */
  wake(): void;
  /** When a rate admits another POST or a rest ends next; null if no endpoint waits for that. */
  nextWakeAt(): number | null;
  standing(endpointId: string): Standing;
  /** How many jobs of an endpoint may be queued: with a rate, those of the next seconds. */
  mostQueued(endpointId: string): number;
  queued(endpointId: string): number;
  /** The next jobs of an endpoint, in order. */
  upcoming(endpointId: string, count: number): readonly Job[];
  /** Removes and returns the jobs queued for an endpoint behind the first `keep`. */
  cutQueue(endpointId: string, keep: number): readonly Job[];
  endpoints(): Iterable<string>;
  figures(): SchedulerFigures;
}

interface SchedulerOptions<Job> {
  /** Whether a job comes from a replay job: it starts after all others of its endpoint. */
  readonly isReplay?: (job: Job) => boolean;
  /** Called when an endpoint begins to wait for its rate, or to rest. */
  readonly onPaced?: () => void;
  /** How long an endpoint rests after a POST that timed out after so many milliseconds, in milliseconds. */
  readonly restAfter?: (durationMs: number) => number;
}

/** Endpoints of which this process remembers how they answer. */
const KNOWN_ENDPOINTS = 50_000;

/**
 * @param now a monotonic clock, in milliseconds
 */
export function createEndpointScheduler<Job>(
  limits: PoolLimits,
  now: () => number,
  { isReplay = () => false, onPaced = () => {}, restAfter = createRests() }: SchedulerOptions<Job> = {},
): EndpointScheduler<Job> {
  const pools = createPools(limits);
  const queues = createSlotQueues<Job>({ limits, pools, now, onPaced });
  const lanes = createLanes<Job>({ maxKnown: KNOWN_ENDPOINTS, onWorkspaceIdle: queues.forget, isReplay });
  const ageing = {
    prompt: createAgeing<Slot<Job>>(PROMPT_MS),
    probation: createAgeing<Slot<Job>>(PROBATION_MS),
  };
  const slots = new Map<Job, Slot<Job>>();

  const countLingering = (slot: Slot<Job>) => {
    const { lane } = slot;
    lane.lingering += 1;
    slot.lingers = true;
    slot.countedAt = slot.origin;
    if (slot.countedAt !== null) queues.countLingering(slot.countedAt, lane.workspace, 1);
  };
  const take = (lane: Lane<Job>, kind: SlotKind, job: Job) => {
    const { origin } = lane.known;
    const slot: Slot<Job> = { job, lane, kind, lingers: false, isConfirmed: false, origin, countedAt: null };
    slots.set(job, slot);
    pools.take(kind, lane.workspace.usage);
    lane.inFlight += 1;
    lane.chosen += 1;
    if (kind === 'lingering') countLingering(slot);
    queues.reorder(lane.workspace);
  };
  const free = ({ job, lane, kind, lingers, isConfirmed, origin, countedAt }: Slot<Job>) => {
    slots.delete(job);
    pools.free(kind, lane.workspace.usage);
    lane.inFlight -= 1;
    if (!isConfirmed) lane.chosen -= 1;
    if (lingers) lane.lingering -= 1;
    if (countedAt !== null) queues.countLingering(countedAt, lane.workspace, -1);
    queues.reorder(lane.workspace);
    queues.slotFreed(kind, countedAt ?? origin);
  };
  const moveToLingering = (slot: Slot<Job>) => {
    if (slot.kind === 'lingering') return;
    pools.linger(slot.kind, slot.lane.workspace.usage);
    slot.kind = 'lingering';
    queues.reorder(slot.lane.workspace);
  };
  /** Removes and returns the oldest POST in flight that has reached the age. */
  const nextAged = (posts: Ageing<Slot<Job>>): Slot<Job> | null => {
    let slot = posts.next(now());
    while (slot !== null && slots.get(slot.job) !== slot) slot = posts.next(now());
    return slot;
  };
  const learn = ({ lane: { known }, origin }: Slot<Job>, end: PostEnd) => {
    // The endpoint may have another origin by now, of which this shows nothing.
    if (origin !== known.origin) return;
    known.last = endingOf(end);
    known.lastAt = now();
    known.restsUntil = known.last === 'silent' ? now() + restAfter(end.durationMs) : 0;
    if (known.last === 'prompt' && known.origin !== null) queues.originAnswered(known.origin);
  };
  /** Whether a job that took its slot before its endpoint's row was read may keep it. */
  const mayKeep = (slot: Slot<Job>): boolean => {
    const { usage } = slot.lane.workspace;
    if (slot.kind === 'new' && slot.lane.known.failing) {
      pools.free('new', usage);
      if (pools.hasRoom('suspect') && pools.admits('suspect', usage)) slot.kind = 'suspect';
      pools.take(slot.kind, usage);
      if (slot.kind === 'new') return false;
    }
    return queues.isAdmitted(slot.lane, slot.kind);
  };

  return {
    enqueue(owner, job) {
      const lane = lanes.of(owner);
      lane.queue.push(job);
      queues.place(lane);
    },
    next() {
      const found = queues.next();
      const job = found?.lane.queue.shift();
      if (found === null || job === undefined) return null;
      take(found.lane, found.kind, job);
      queues.place(found.lane);
      return job;
    },
    confirm(job, { origin, failing, ratePerSecond = null }) {
      const slot = slots.get(job);
      if (slot === undefined) return false;
      const { known, queue } = slot.lane;
      const takenFor = slot.origin;
      if (known.origin !== null && known.origin !== origin) {
        forgetEnding(known);
        // It may wait for the other origin.
        slot.lane.waitsFor = null;
        queues.place(slot.lane);
      }
      known.origin = origin;
      known.failing = failing;
      known.rate = rateOf(known.rate, ratePerSecond, now());
      // A slot that was taken for another origin was not admitted at this one.
      const keeps = takenFor === null ? mayKeep(slot) : takenFor === origin;
      if (keeps && (known.rate === null || takeToken(known.rate, now()))) {
        slot.isConfirmed = true;
        slot.origin = origin;
        slot.lane.chosen -= 1;
        return true;
      }
      queue.unshift(job);
      free(slot);
      if (takenFor !== null) queues.unblockOthers(takenFor);
      queues.place(slot.lane);
      return false;
    },
    posted(job) {
      const slot = slots.get(job);
      if (slot === undefined || slot.kind === 'lingering') return;
      ageing.prompt.add(slot, now());
      if (slot.kind !== 'proven') ageing.probation.add(slot, now());
    },
    release(job, end) {
      const slot = slots.get(job);
      if (slot === undefined) return;
      free(slot);
      if (end !== null) learn(slot, end);
      queues.place(slot.lane);
      lanes.removeIfIdle(slot.lane);
    },
    age() {
      const silent: Job[] = [];
      const { prompt, probation } = ageing;
      for (let slot = nextAged(probation); slot !== null; slot = nextAged(probation)) moveToLingering(slot);
      for (let slot = nextAged(prompt); slot !== null; slot = nextAged(prompt)) {
        moveToLingering(slot);
        countLingering(slot);
        if (queues.standing(slot.lane) === 'silent') silent.push(slot.job);
      }
      return silent;
    },
    nextAgeAt() {
      const [prompt, probation] = [ageing.prompt.nextAt(), ageing.probation.nextAt()];
      return prompt === null || probation === null ? (prompt ?? probation) : Math.min(prompt, probation);
    },
    wake: queues.wake,
    nextWakeAt: queues.nextWakeAt,
    mostQueued: (endpointId) => mostQueued(lanes.known(endpointId)?.rate ?? null),
    standing(endpointId) {
      const lane = lanes.get(endpointId);
      if (lane !== undefined) return queues.standing(lane);
      return standingOf(lanes.known(endpointId) ?? nothingKnown(), 0, now());
    },
    queued: (endpointId) => lanes.get(endpointId)?.queue.size ?? 0,
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
    figures: () => ({ ...pools.figures(), inFlight: slots.size, blocked: queues.blocked() }),
  };
}
