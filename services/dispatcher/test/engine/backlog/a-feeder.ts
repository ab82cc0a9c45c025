import type { Backlog, DueRow } from '@postrider/shared/ports/backlog';
import { ENDPOINT_ID, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { createFeeder } from '../../../src/engine/backlog/feeder.js';
import { createReconciler } from '../../../src/engine/backlog/reconciler.js';
import { createJobs } from '../../../src/engine/jobs/create-jobs.js';
import type { Job } from '../../../src/engine/jobs/job.js';
import { poolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import type { PostEnd } from '../../../src/engine/scheduler/standing.js';
import { aClock, aLog, messages, turnLimitsBy } from '../builders.js';

type Query = Parameters<Backlog['due']>;

/** Jobs that the memory has room for. */
export const JOBS = 400;
export const owner = (endpointId: string, workspaceId: string = WORKSPACE_ID) => ({
  endpointId,
  workspaceId,
});

/** A feeder and a reconciler over the real workload, with the rows of `stored` as the backlog, which are all overdue. */
export function aFeeder(maxJobs = JOBS) {
  const clock = aClock();
  const log = aLog();
  const queries: Query[] = [];
  const laters: { task: () => void; ms: number }[] = [];
  const foreign = new Set<string>();
  const stored: DueRow[] = [];
  const world = { fed: 0, gate: Promise.resolve() };
  const backlog: Backlog = {
    async due(...query) {
      queries.push(query);
      const [endpointId, , limit] = query;
      const rows = stored.filter((row) => row.endpointId === endpointId).slice(0, limit);
      await world.gate;
      return rows;
    },
    async *overdueEndpoints() {
      yield [...new Set(stored.map(({ endpointId }) => endpointId))];
    },
    workspacesOf: async () => new Map(),
  };
  const clockMs = () => clock.now().getTime();
  const limits = poolLimits({ perEndpoint: 4, prompt: 100, lingering: 100, bytes: 2 ** 24 });
  const {
    workload: work,
    scheduler,
    budget,
    parking,
  } = createJobs({
    limits: { ...limits, jobs: maxJobs },
    clockMs,
    monotonicMs: clockMs,
    busy: () => 0,
    turn: turnLimitsBy(clockMs)(),
    onDone: () => {},
    onPostBegins: () => {},
    onPaced: () => {},
    onWaiting: () => {},
  });
  const feeder = createFeeder({
    workload: work,
    scheduler,
    parking,
    backlog,
    clock,
    monotonicMs: clockMs,
    budget,
    isAssigned: (endpointId) => !foreign.has(endpointId),
    onFed: () => {
      world.fed += 1;
    },
    later: (task, ms) => laters.push({ task, ms }),
    log,
  });
  const reconciler = createReconciler({
    parking,
    backlog,
    clock,
    isAssigned: (endpointId) => !foreign.has(endpointId),
    onParked: feeder.feed,
    log,
  });
  return Object.assign(world, {
    feeder,
    reconciler,
    work,
    parking,
    scheduler,
    budget,
    clock,
    log,
    queries,
    laters,
    foreign,
    stored,
  });
}

export function rows(
  count: number,
  endpointId: string = ENDPOINT_ID,
  workspaceId: string = WORKSPACE_ID,
): DueRow[] {
  return messages(count, { endpointId, workspaceId }).map(({ ordinal, ...ids }) => ({
    ...ids,
    attempts: ordinal - 1,
  }));
}

/** Adds jobs of as many workspaces, which all may have one while any is free. */
export function addOfOthers({ work }: ReturnType<typeof aFeeder>, count: number): void {
  for (let index = 0; index < count; index += 1)
    for (const row of rows(1, `busy-${index}`, `busy-${index}`)) work.addFromRow(row);
}

/** Proves that the endpoint answers, by a POST of another delivery. */
export function prove(world: ReturnType<typeof aFeeder>, endpointId: string = ENDPOINT_ID): void {
  endPost(world, endpointId, { durationMs: 1, timedOut: false });
}

/** The endpoint answers a POST of another delivery after nine seconds. */
export function answerSlowly(world: ReturnType<typeof aFeeder>, endpointId: string): void {
  endPost(world, endpointId, { durationMs: 9_000, timedOut: false });
}

/** The endpoint does not answer a POST of another delivery. */
export function fallSilent(world: ReturnType<typeof aFeeder>, endpointId: string): void {
  endPost(world, endpointId, { durationMs: 10_000, timedOut: true });
}

function endPost({ work }: ReturnType<typeof aFeeder>, endpointId: string, end: PostEnd): void {
  const [row] = rows(1, endpointId);
  work.addFromRow({ ...row!, attempts: 6 });
  const job = work.next()!;
  work.release(job, end);
  work.finish(job);
}

/** Starts a job of the endpoint with rows and ends its POST, so that it remains to be settled. */
export function postOne({ work }: ReturnType<typeof aFeeder>): Job {
  const job = work.next()!;
  work.release(job, { durationMs: 1, timedOut: false });
  return job;
}
