/** How a POST ended, as far as the next ones to the same endpoint are concerned. */
export interface PostEnd {
  readonly durationMs: number;
  readonly timedOut: boolean;
}

export interface SchedulerLimits {
  /** POSTs in flight to one endpoint. */
  readonly perEndpoint: number;
  /** POSTs in flight in all. */
  readonly total: number;
  /** POSTs in flight to slow endpoints in all. */
  readonly slow: number;
  /** An endpoint is slow from this average latency on, in milliseconds. */
  readonly slowFromMs: number;
}

/** Whose turn it is: round-robin over endpoints, not first in, first out over messages. */
export interface EndpointScheduler<Job> {
  enqueue(endpointId: string, job: Job): void;
  /** Takes the next job and a slot for it; null when nothing may start now. */
  next(): Job | null;
  /** Gives the slot back. `end` is null when nothing was POSTed. */
  release(endpointId: string, end: PostEnd | null): void;
  queued(endpointId: string): number;
  /** Queued or in flight. */
  load(endpointId: string): number;
  /** Removes and returns what is queued for an endpoint. */
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
  /** Stands in a ring, waiting for its turn. */
  ready: boolean;
}

/** The weight of the newest latency in the moving average. */
const NEWEST_WEIGHT = 0.3;
/** Idle lanes kept for what is known of their endpoints' latency. */
const REMEMBERED_LANES = 20_000;

export function createEndpointScheduler<Job>(limits: SchedulerLimits): EndpointScheduler<Job> {
  const lanes = new Map<string, Lane<Job>>();
  const rings = { fast: [] as Lane<Job>[], slow: [] as Lane<Job>[] };
  let total = 0;
  let slowTotal = 0;
  let slowTurn = false;
  const isSlow = (lane: Lane<Job>) => lane.timedOut || lane.averageMs > limits.slowFromMs;
  const capOf = (lane: Lane<Job>) => (lane.timedOut ? 1 : limits.perEndpoint);

  const line = (lane: Lane<Job>) => {
    if (lane.ready || lane.queue.length === 0 || lane.inFlight >= capOf(lane)) return;
    lane.ready = true;
    rings[isSlow(lane) ? 'slow' : 'fast'].push(lane);
  };
  const laneOf = (endpointId: string): Lane<Job> => {
    const known = lanes.get(endpointId);
    if (known !== undefined) return known;
    forgetIdle();
    const lane = { endpointId, queue: [], inFlight: 0, averageMs: 0, timedOut: false, ready: false };
    lanes.set(endpointId, lane);
    return lane;
  };
  const forgetIdle = () => {
    if (lanes.size < REMEMBERED_LANES) return;
    for (const [endpointId, lane] of lanes) {
      if (lane.inFlight === 0 && lane.queue.length === 0) lanes.delete(endpointId);
      if (lanes.size < REMEMBERED_LANES * 0.9) return;
    }
  };
  const start = (lane: Lane<Job>): Job | null => {
    const job = lane.queue.shift();
    if (job === undefined) return null;
    lane.inFlight += 1;
    total += 1;
    if (isSlow(lane)) slowTotal += 1;
    line(lane);
    return job;
  };
  const takeFrom = (ring: 'fast' | 'slow'): Job | null => {
    for (let lane = rings[ring].shift(); lane !== undefined; lane = rings[ring].shift()) {
      lane.ready = false;
      const job = lane.inFlight < capOf(lane) ? start(lane) : null;
      if (job !== null) return job;
    }
    return null;
  };
  /** A lane that turned slow or fast counts among its like from now on, and waits for its turn among them. */
  const reclassify = (lane: Lane<Job>, wasSlow: boolean) => {
    if (wasSlow === isSlow(lane)) return;
    slowTotal += wasSlow ? -lane.inFlight : lane.inFlight;
    if (!lane.ready) return;
    const ring = rings[wasSlow ? 'slow' : 'fast'];
    ring.splice(ring.indexOf(lane), 1);
    lane.ready = false;
  };

  return {
    enqueue(endpointId, job) {
      const lane = laneOf(endpointId);
      lane.queue.push(job);
      line(lane);
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
      line(lane);
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
