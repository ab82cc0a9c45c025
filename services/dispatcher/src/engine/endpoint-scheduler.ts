/** The properties of a finished POST that affect the next ones to the same endpoint. */
export interface PostEnd {
  readonly durationMs: number;
  readonly timedOut: boolean;
}

export interface SchedulerLimits {
  /** POSTs in flight to one endpoint. */
  readonly perEndpoint: number;
  /** POSTs in flight in total. */
  readonly total: number;
  /** POSTs in flight to slow endpoints in total. */
  readonly slow: number;
  /** Average latency above which an endpoint is slow, in milliseconds. */
  readonly slowFromMs: number;
}

/** Schedules jobs round-robin over endpoints instead of first in, first out over messages. */
export interface EndpointScheduler<Job> {
  enqueue(endpointId: string, job: Job): void;
  /** Removes and returns the next job and takes a slot for it; null if nothing may start now. */
  next(): Job | null;
  /** Frees the slot of a job. `end` is null if nothing was POSTed. */
  release(endpointId: string, end: PostEnd | null): void;
  queued(endpointId: string): number;
  /** Queued or in flight. */
  load(endpointId: string): number;
  /** Removes and returns the jobs queued for an endpoint. */
  clearQueue(endpointId: string): readonly Job[];
  endpoints(): Iterable<string>;
  inFlight(): number;
}

interface Lane<Job> {
  readonly endpointId: string;
  queue: Job[];
  inFlight: number;
  averageMs: number;
  timedOut: boolean;
  /** Whether the lane is in a ring. */
  inRing: boolean;
}

/** The weight of the newest latency in the moving average. */
const NEWEST_WEIGHT = 0.3;
/** Idle lanes are kept up to this number of lanes, for the latency of their endpoints. */
const MAX_LANES = 20_000;

export function createEndpointScheduler<Job>(limits: SchedulerLimits): EndpointScheduler<Job> {
  const lanes = new Map<string, Lane<Job>>();
  const rings = { fast: [] as Lane<Job>[], slow: [] as Lane<Job>[] };
  let total = 0;
  let slowTotal = 0;
  let slowTurn = false;
  const isSlow = (lane: Lane<Job>) => lane.timedOut || lane.averageMs > limits.slowFromMs;
  const capOf = (lane: Lane<Job>) => (lane.timedOut ? 1 : limits.perEndpoint);

  const addToRing = (lane: Lane<Job>) => {
    if (lane.inRing || lane.queue.length === 0 || lane.inFlight >= capOf(lane)) return;
    lane.inRing = true;
    rings[isSlow(lane) ? 'slow' : 'fast'].push(lane);
  };
  const laneOf = (endpointId: string): Lane<Job> => {
    const existing = lanes.get(endpointId);
    if (existing !== undefined) return existing;
    evictIdle();
    const lane = { endpointId, queue: [], inFlight: 0, averageMs: 0, timedOut: false, inRing: false };
    lanes.set(endpointId, lane);
    return lane;
  };
  const evictIdle = () => {
    if (lanes.size < MAX_LANES) return;
    for (const [endpointId, lane] of lanes) {
      if (lane.inFlight === 0 && lane.queue.length === 0) lanes.delete(endpointId);
      if (lanes.size < MAX_LANES * 0.9) return;
    }
  };
  const start = (lane: Lane<Job>): Job | null => {
    const job = lane.queue.shift();
    if (job === undefined) return null;
    lane.inFlight += 1;
    total += 1;
    if (isSlow(lane)) slowTotal += 1;
    addToRing(lane);
    return job;
  };
  const takeFrom = (ring: 'fast' | 'slow'): Job | null => {
    for (let lane = rings[ring].shift(); lane !== undefined; lane = rings[ring].shift()) {
      lane.inRing = false;
      const job = lane.inFlight < capOf(lane) ? start(lane) : null;
      if (job !== null) return job;
    }
    return null;
  };
  /** Moves a lane that became slow or fast to the counts of its new class and out of its old ring. */
  const reclassify = (lane: Lane<Job>, wasSlow: boolean) => {
    if (wasSlow === isSlow(lane)) return;
    slowTotal += wasSlow ? -lane.inFlight : lane.inFlight;
    if (!lane.inRing) return;
    const ring = rings[wasSlow ? 'slow' : 'fast'];
    ring.splice(ring.indexOf(lane), 1);
    lane.inRing = false;
  };

  return {
    enqueue(endpointId, job) {
      const lane = laneOf(endpointId);
      lane.queue.push(job);
      addToRing(lane);
    },
    next() {
      if (total >= limits.total) return null;
      slowTurn = !slowTurn;
      const mayBeSlow = slowTotal < limits.slow;
      if (slowTurn && mayBeSlow) return takeFrom('slow') ?? takeFrom('fast');
      return takeFrom('fast') ?? (mayBeSlow ? takeFrom('slow') : null);
    },
    release(endpointId, end) {
      const lane = laneOf(endpointId);
      const wasSlow = isSlow(lane);
      lane.inFlight -= 1;
      total -= 1;
      if (wasSlow) slowTotal -= 1;
      if (end !== null) {
        lane.timedOut = end.timedOut;
        lane.averageMs += NEWEST_WEIGHT * (end.durationMs - lane.averageMs);
        reclassify(lane, wasSlow);
      }
      addToRing(lane);
    },
    queued: (endpointId) => lanes.get(endpointId)?.queue.length ?? 0,
    load(endpointId) {
      const lane = lanes.get(endpointId);
      return lane === undefined ? 0 : lane.queue.length + lane.inFlight;
    },
    clearQueue(endpointId) {
      const lane = lanes.get(endpointId);
      if (lane === undefined) return [];
      const dropped = lane.queue;
      lane.queue = [];
      return dropped;
    },
    endpoints: () => lanes.keys(),
    inFlight: () => total,
  };
}
