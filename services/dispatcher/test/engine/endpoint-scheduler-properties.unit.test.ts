import { expect } from 'chai';
import fc from 'fast-check';
import {
  createEndpointScheduler,
  type EndpointScheduler,
  type PostEnd,
} from '../../src/engine/endpoint-scheduler.js';

const LIMITS = { perEndpoint: 3, total: 6, slow: 2, slowFromMs: 1_000 };
const ENDPOINTS = ['a', 'b', 'c', 'd', 'e'];

type Step =
  | { readonly do: 'enqueue' | 'drop'; readonly endpoint: number }
  | { readonly do: 'next' }
  | { readonly do: 'release'; readonly which: number; readonly end: PostEnd | null };

const end: fc.Arbitrary<PostEnd | null> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ durationMs: fc.nat(50), timedOut: fc.constant(false) }) },
  {
    weight: 2,
    arbitrary: fc.record({ durationMs: fc.integer({ min: 500, max: 9_000 }), timedOut: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant(null) },
);
const endpoint = fc.nat(ENDPOINTS.length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('enqueue' as const), endpoint }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('next' as const) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('release' as const), which: fc.nat(20), end }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('drop' as const), endpoint }) },
);
const steps = fc.array(step, { maxLength: 120, size: 'max' });

/** The model of an endpoint: plain counters. */
interface Lane {
  readonly id: string;
  queue: number[];
  inFlight: number;
  averageMs: number;
  timedOut: boolean;
}

interface Job {
  readonly endpointId: string;
  readonly number: number;
}

interface World {
  readonly tasks: EndpointScheduler<Job>;
  readonly lanes: Map<string, Lane>;
  running: Job[];
  readonly served: number[];
  readonly dropped: number[];
  enqueued: number;
}

function newWorld(): World {
  const lanes = ENDPOINTS.map((id) => ({ id, queue: [], inFlight: 0, averageMs: 0, timedOut: false }));
  return {
    tasks: createEndpointScheduler<Job>(LIMITS),
    lanes: new Map(lanes.map((lane) => [lane.id, lane])),
    running: [],
    served: [],
    dropped: [],
    enqueued: 0,
  };
}

const isSlow = ({ timedOut, averageMs }: Lane) => timedOut || averageMs > LIMITS.slowFromMs;
const sumOf = (lanes: Iterable<Lane>) => [...lanes].reduce((sum, { inFlight }) => sum + inFlight, 0);

/** The endpoints that may start a job now. */
function eligible({ lanes, running }: World): string[] {
  if (running.length >= LIMITS.total) return [];
  const slowInFlight = sumOf([...lanes.values()].filter(isSlow));
  return [...lanes.values()]
    .filter(({ queue }) => queue.length > 0)
    .filter((lane) => lane.inFlight < (lane.timedOut ? 1 : LIMITS.perEndpoint))
    .filter((lane) => !isSlow(lane) || slowInFlight < LIMITS.slow)
    .map(({ id }) => id);
}

function takeNext(world: World): void {
  const may = eligible(world);
  const job = world.tasks.next();
  expect(job === null, `may start: ${may}`).to.equal(may.length === 0);
  if (job === null) return;
  expect(may).to.include(job.endpointId);
  const lane = world.lanes.get(job.endpointId)!;
  expect(job.number, 'first in, first out within an endpoint').to.equal(lane.queue.shift());
  lane.inFlight += 1;
  world.running.push(job);
  world.served.push(job.number);
}

function release(world: World, which: number, how: PostEnd | null): void {
  const job = world.running[which % Math.max(world.running.length, 1)];
  if (job === undefined) return;
  world.running = world.running.filter((one) => one !== job);
  const lane = world.lanes.get(job.endpointId)!;
  lane.inFlight -= 1;
  if (how !== null) {
    lane.timedOut = how.timedOut;
    lane.averageMs += 0.3 * (how.durationMs - lane.averageMs);
  }
  world.tasks.release(job.endpointId, how);
}

function perform(world: World, action: Step): void {
  switch (action.do) {
    case 'enqueue': {
      const endpointId = ENDPOINTS[action.endpoint]!;
      const number = world.enqueued;
      world.enqueued += 1;
      world.tasks.enqueue(endpointId, { endpointId, number });
      world.lanes.get(endpointId)!.queue.push(number);
      return;
    }
    case 'next':
      takeNext(world);
      return;
    case 'release':
      release(world, action.which, action.end);
      return;
    case 'drop': {
      const lane = world.lanes.get(ENDPOINTS[action.endpoint]!)!;
      const dropped = world.tasks.clearQueue(lane.id).map(({ number }) => number);
      expect(dropped).to.deep.equal(lane.queue);
      world.dropped.push(...dropped);
      lane.queue = [];
    }
  }
}

function expectCountersToFit({ tasks, lanes }: World): void {
  const reported = [...lanes.keys()].map((id) => `${id}: ${tasks.queued(id)} of ${tasks.load(id)}`);
  const counted = [...lanes.values()].map(
    ({ id, queue, inFlight }) => `${id}: ${queue.length} of ${queue.length + inFlight}`,
  );
  expect(`${tasks.inFlight()} ${reported}`).to.equal(`${sumOf(lanes.values())} ${counted}`);
}

describe('endpoint scheduler, for any order of jobs, slots, latencies and cleared queues', () => {
  it('starts a job exactly if a slot is free for its endpoint, and keeps its counters correct', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const world = newWorld();
        for (const action of script) {
          perform(world, action);
          expectCountersToFit(world);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('returns every job that is not cleared exactly once', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const world = newWorld();
        for (const action of script) perform(world, action);
        while (world.running.length > 0 || eligible(world).length > 0) {
          takeNext(world);
          release(world, 0, null);
        }
        const seen = [...world.served, ...world.dropped].sort((a, b) => a - b);
        expect(seen).to.deep.equal(Array.from({ length: world.enqueued }, (_, number) => number));
      }),
      { numRuns: 30 },
    );
  });
});
