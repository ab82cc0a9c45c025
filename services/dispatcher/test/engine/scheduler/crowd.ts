import { SILENT_JOBS } from '../../../src/engine/jobs/job-budget.js';
import { createDelayHeap } from '../../../src/engine/scheduler/delay-heap.js';
import { createEndpointScheduler } from '../../../src/engine/scheduler/endpoint-scheduler.js';
import { poolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import { createRests } from '../../../src/engine/scheduler/rests.js';

export interface CrowdEndpoint {
  readonly endpointId: string;
  readonly workspaceId: string;
  /** Whether it answers as always; the others are not measured. */
  readonly healthy: boolean;
  /** Whether its stored failure streak is above 0 at the beginning. */
  readonly failing: boolean;
  /** How long a POST that begins at this time takes; a POST that takes the deadline times out. */
  readonly takesMs: (at: number) => number;
  /** When its first delivery may become due; at the beginning if absent. */
  readonly from?: number;
  /** The size of its rows, in bytes; 1,000 if absent. */
  readonly bytes?: number;
}

export interface CrowdParts {
  readonly endpoints: readonly CrowdEndpoint[];
  /** Deliveries per second, to all endpoints in turn. */
  readonly rate: number;
  readonly seconds: number;
  /** Deliveries of each endpoint that are due at the beginning. */
  readonly backlog?: number;
}

/** What healthy endpoints got in 5 s. */
export interface CrowdWindow {
  readonly deliveries: number;
  /** The time between becoming due and the start of the POST, in milliseconds. */
  readonly p99WaitMs: number;
  readonly longestWaitMs: number;
}

interface Job {
  readonly endpoint: CrowdEndpoint;
  readonly dueAt: number;
}

const DEADLINE_MS = 10_000;
const WINDOW_MS = 5_000;
/** How long rows are read before the POST begins. */
const READ_MS = 3;

/** Runs the real scheduler with its default limits in virtual time, one millisecond at a time. */
export function runCrowd({ endpoints, rate, seconds, backlog = 0 }: CrowdParts): readonly CrowdWindow[] {
  let now = 0;
  let arrived = 0;
  const tasks = createEndpointScheduler<Job>(
    poolLimits({ perEndpoint: 4, prompt: 1_024, lingering: 4_096, bytes: 2 ** 24 }),
    () => now,
    { isReplay: () => false, onPaced: () => {}, restAfter: createRests(() => 0) },
  );
  const events = createDelayHeap<() => void>();
  const waits: number[][] = Array.from({ length: (seconds * 1_000) / WINDOW_MS }, () => []);
  const arrive = () => {
    const endpoint = endpoints[(arrived * 7_919) % endpoints.length];
    arrived += 1;
    if (endpoint === undefined || now < (endpoint.from ?? 0)) return;
    tasks.enqueue(endpoint, { endpoint, dueAt: now });
    // What else is queued for an endpoint that is silent stays in its rows.
    if (tasks.standing(endpoint.endpointId) === 'silent') tasks.cutQueue(endpoint.endpointId, SILENT_JOBS);
  };
  const post = (job: Job) => {
    const { endpointId, healthy, failing, takesMs, bytes = 1_000 } = job.endpoint;
    if (!tasks.confirm(job, { origin: `https://${endpointId}`, failing, bytes })) return;
    tasks.postBegins(job);
    if (healthy) waits[Math.floor(job.dueAt / WINDOW_MS)]?.push(now - job.dueAt);
    const durationMs = Math.min(takesMs(now), DEADLINE_MS);
    events.add(
      () => tasks.release(job, { durationMs, timedOut: durationMs >= DEADLINE_MS }),
      now + durationMs,
    );
  };
  for (let n = 0; n < backlog * endpoints.length; n += 1) arrive();
  arrived = 0;
  for (; now < seconds * 1_000; now += 1) {
    for (let event = events.pop(now); event !== null; event = events.pop(now)) event();
    if (now % 20 === 0)
      for (const { endpoint } of tasks.age()) tasks.cutQueue(endpoint.endpointId, SILENT_JOBS);
    tasks.wake();
    while (arrived * 1_000 < rate * (now + 1)) arrive();
    for (let job = tasks.next(); job !== null; job = tasks.next()) {
      const taken = job;
      events.add(() => post(taken), now + READ_MS);
    }
  }
  return waits.map((window) => {
    const sorted = window.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
    return { deliveries: sorted.length, p99WaitMs: at(0.99), longestWaitMs: at(1) };
  });
}
