import { expect } from 'chai';
import fc from 'fast-check';
import {
  createEndpointScheduler,
  type EndpointScheduler,
} from '../../../src/engine/scheduler/endpoint-scheduler.js';
import type { PoolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import { slotKindOf } from '../../../src/engine/scheduler/pools.js';
import type { PostEnd } from '../../../src/engine/scheduler/standing.js';
import { type ModelEndpoint, type ModelPost, type SchedulerModel, schedulerModel } from './model.js';

const LIMITS: PoolLimits = {
  perEndpoint: 3,
  prompt: 6,
  probation: 4,
  suspect: 2,
  perFree: 2,
  lingering: 6,
  perWorkspace: 3,
  perOrigin: 4,
  bytes: 2 ** 24,
};
/** After each POST that timed out, in milliseconds. */
const REST_MS = 700;

type Step =
  | { readonly do: 'enqueue'; readonly endpoint: number; readonly isReplay: boolean }
  | { readonly do: 'cut'; readonly endpoint: number; readonly keep: number }
  | { readonly do: 'move'; readonly endpoint: number }
  | { readonly do: 'learn'; readonly endpoint: number }
  | { readonly do: 'next' }
  | { readonly do: 'release'; readonly which: number; readonly end: PostEnd | null }
  | { readonly do: 'pass'; readonly ms: number };

const end: fc.Arbitrary<PostEnd | null> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ durationMs: fc.nat(900), timedOut: fc.constant(false) }) },
  { weight: 2, arbitrary: fc.constant({ durationMs: 9_900, timedOut: false }) },
  { weight: 2, arbitrary: fc.constant({ durationMs: 10_000, timedOut: true }) },
  { weight: 1, arbitrary: fc.constant(null) },
);
const always = <T>(value: T) => fc.constant(value);
const endpoint = fc.nat(8);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: always('enqueue' as const), endpoint, isReplay: fc.boolean() }) },
  { weight: 8, arbitrary: fc.record({ do: always('next' as const) }) },
  { weight: 6, arbitrary: fc.record({ do: always('release' as const), which: fc.nat(20), end }) },
  { weight: 2, arbitrary: fc.record({ do: always('pass' as const), ms: fc.nat(1_500) }) },
  { weight: 1, arbitrary: fc.record({ do: always('cut' as const), endpoint, keep: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ do: always('move' as const), endpoint }) },
  { weight: 1, arbitrary: fc.record({ do: always('learn' as const), endpoint }) },
);
const steps = fc.array(step, { maxLength: 200, size: 'max' });

interface Job {
  readonly endpointId: string;
  readonly number: number;
  readonly isReplay: boolean;
}

interface World {
  readonly tasks: EndpointScheduler<Job>;
  readonly endpoints: readonly ModelEndpoint[];
  readonly model: SchedulerModel;
  readonly jobs: Map<ModelPost, Job>;
  readonly served: number[];
  readonly dropped: number[];
  enqueued: number;
}

/** Nine endpoints of three workspaces at two origins. */
function newWorld(): World {
  const endpoints = Array.from({ length: 9 }, (_, index): ModelEndpoint => {
    const origin = `o${index % 2}`;
    const row = { workspaceId: `w${index % 3}`, origin, readOrigin: null, failing: index % 4 === 3 };
    const unused = { wasBlocked: false, last: null, lastAt: 0, restsUntil: 0 };
    return { id: `e${index}`, ...row, queue: [], ...unused };
  });
  const model = schedulerModel(LIMITS, endpoints);
  const tasks = createEndpointScheduler<Job>(LIMITS, () => model.world.now, {
    isReplay: ({ isReplay }) => isReplay,
    onPaced: () => {},
    restAfter: () => REST_MS,
  });
  return { tasks, endpoints, model, jobs: new Map(), served: [], dropped: [], enqueued: 0 };
}

/** Removes the job of an endpoint that must start next. */
function shiftFrom({ queue }: ModelEndpoint) {
  const firstRegular = queue.findIndex(({ isReplay }) => !isReplay);
  return queue.splice(Math.max(firstRegular, 0), 1)[0];
}

function takeNext({ tasks, model, endpoints, jobs, served }: World): void {
  const [must, may] = [model.must(), model.may()];
  const job = tasks.next();
  if (job === null) {
    expect(
      must.map(({ id }) => id),
      'must start',
    ).to.deep.equal([]);
    return;
  }
  const endpoint = endpoints.find(({ id }) => id === job.endpointId)!;
  expect(may).to.include(endpoint);
  expect(job.number, 'regular ones first, then first in, first out').to.equal(shiftFrom(endpoint)?.number);
  const kind = slotKindOf(model.standing(endpoint));
  endpoint.wasBlocked = false;
  const wasKnown = endpoint.readOrigin !== null;
  const hasMoved = wasKnown && endpoint.readOrigin !== endpoint.origin;
  const post: ModelPost = {
    number: job.number,
    endpoint,
    kind,
    lingers: kind === 'lingering',
    wasOnProbation: kind === 'new' || kind === 'suspect',
    origin: endpoint.origin,
    postedAt: null,
  };
  const seesOtherwise = !wasKnown && endpoint.failing && post.kind === 'new';
  endpoint.readOrigin = endpoint.origin;
  if (hasMoved) Object.assign(endpoint, { last: null, restsUntil: 0 });
  if (seesOtherwise) post.kind = 'suspect';
  const mayConfirm = (certainly: boolean) =>
    wasKnown
      ? !hasMoved
      : (!seesOtherwise || (model.hasRoom(endpoint) && model.workspaceAdmits(endpoint))) &&
        model.originAdmits(endpoint, certainly);
  const expected = [mayConfirm(true), mayConfirm(false)];
  const isConfirmed = tasks.confirm(job, { ...endpoint, bytes: 1_000 });
  expect(isConfirmed, 'confirmed').to.be.oneOf(expected);
  if (!isConfirmed) {
    endpoint.queue.unshift(job);
    return;
  }
  model.world.posts.push(post);
  jobs.set(post, job);
  served.push(job.number);
  tasks.postBegins(job);
  post.postedAt = model.world.now;
}

/** What an origin answered is certainly remembered while a POST counts there. */
function rememberAnswer({ world }: SchedulerModel, origin: string, isPrompt: boolean): void {
  const counts = (post: ModelPost) => post.lingers || post.wasOnProbation;
  const isCounted = world.posts.some((post) => counts(post) && post.origin === origin);
  if (isPrompt) world.promptAt.set(origin, world.now);
  if (isPrompt && isCounted) world.remembered.add(origin);
  else if (!isCounted) world.remembered.delete(origin);
}

function release({ tasks, model, jobs }: World, which: number, how: PostEnd | null): void {
  const { world } = model;
  const post = world.posts[which % Math.max(world.posts.length, 1)];
  if (post === undefined) return;
  world.posts.splice(world.posts.indexOf(post), 1);
  const isEvidence = how !== null && post.origin === post.endpoint.readOrigin;
  if (isEvidence) {
    const answered = how.durationMs > 1_000 ? 'slow' : 'prompt';
    post.endpoint.last = how.timedOut ? 'silent' : answered;
    post.endpoint.lastAt = world.now;
    post.endpoint.restsUntil = how.timedOut ? world.now + REST_MS : 0;
  }
  tasks.release(jobs.get(post)!, how);
  rememberAnswer(model, post.origin, isEvidence && post.endpoint.last === 'prompt');
}

const isOnProbation = ({ kind }: ModelPost) => kind === 'new' || kind === 'suspect';

function noteBlocked({ model, endpoints }: World): void {
  for (const endpoint of endpoints)
    if (endpoint.queue.length > 0 && !model.originAdmits(endpoint, true)) endpoint.wasBlocked = true;
}

function perform(world: World, action: Step): void {
  act(world, action);
  noteBlocked(world);
}

function act(world: World, action: Step): void {
  const { tasks, model, endpoints } = world;
  switch (action.do) {
    case 'enqueue': {
      const endpoint = endpoints[action.endpoint]!;
      const job = { endpointId: endpoint.id, number: world.enqueued, isReplay: action.isReplay };
      world.enqueued += 1;
      tasks.enqueue({ endpointId: endpoint.id, workspaceId: endpoint.workspaceId }, job);
      endpoint.queue.push(job);
      return;
    }
    case 'next':
      takeNext(world);
      return;
    case 'release':
      release(world, action.which, action.end);
      return;
    case 'pass': {
      model.world.now += action.ms;
      tasks.age();
      tasks.wake();
      for (const post of model.world.posts) {
        const age = model.world.now - (post.postedAt ?? model.world.now);
        if (age >= (isOnProbation(post) ? 250 : 1_000)) post.kind = 'lingering';
        if (age >= 1_000) post.lingers = true;
      }
      return;
    }
    case 'move': {
      const endpoint = endpoints[action.endpoint]!;
      endpoint.origin = endpoint.origin === 'o0' ? 'o1' : 'o0';
      return;
    }
    case 'learn': {
      const endpoint = endpoints[action.endpoint]!;
      const { id, origin, readOrigin } = endpoint;
      tasks.learnOrigin(id, origin, model.world.now);
      if (readOrigin === null || readOrigin === origin) return;
      Object.assign(endpoint, { readOrigin: origin, wasBlocked: false, last: null, restsUntil: 0 });
      return;
    }
    case 'cut': {
      const endpoint = endpoints[action.endpoint]!;
      const cut = tasks.cutQueue(endpoint.id, action.keep);
      const first = action.keep === 0 ? undefined : shiftFrom(endpoint);
      expect(cut).to.have.deep.members(endpoint.queue);
      endpoint.queue = first === undefined ? [] : [first];
      world.dropped.push(...cut.map(({ number }) => number));
    }
  }
}

function expectCountersToFit({ tasks, model, endpoints }: World): void {
  const { inFlight, prompt, probation, lingering } = tasks.figures();
  const kinds = model.world.posts.map(({ kind }) => kind);
  expect({ inFlight, prompt, probation, lingering }).to.deep.equal({
    inFlight: kinds.length,
    prompt: kinds.filter((kind) => kind !== 'lingering').length,
    probation: model.world.posts.filter(isOnProbation).length,
    lingering: model.lingering(),
  });
  for (const { id, queue } of endpoints) expect(tasks.queued(id)).to.equal(queue.length);
}

describe('endpoint scheduler, for any order of jobs, slots, latencies and cleared queues', () => {
  it('starts a job exactly if the rules permit one, and keeps its counters correct', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const world = newWorld();
        for (const action of script) {
          perform(world, action);
          expectCountersToFit(world);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('returns every job that is not cleared exactly once', () => {
    fc.assert(
      fc.property(steps, (script) => {
        const world = newWorld();
        for (const action of script) perform(world, action);
        perform(world, { do: 'pass', ms: REST_MS });
        while (world.model.world.posts.length > 0 || world.model.must().length > 0) {
          perform(world, { do: 'next' });
          perform(world, { do: 'release', which: 0, end: null });
        }
        const seen = [...world.served, ...world.dropped].sort((a, b) => a - b);
        expect(seen).to.deep.equal(Array.from({ length: world.enqueued }, (_, number) => number));
      }),
      { numRuns: 25 },
    );
  });
});
