import { readDateTime, readEnd } from '@postrider/shared/domain/read-date-time';
import {
  DEFAULT_REPLAY_RATE,
  DEFAULT_REPLAY_STATUSES,
  newReplayJob,
  type ReplayFilter,
  type ReplayJob,
} from '@postrider/shared/domain/replay-job';
import type * as wire from '../contract/replay-job.js';
import type { Mistake } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showReplayJob } from '../views/replay-job.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { unknownTypes } from './event-type-names.js';
import { findLiveEndpoint, refuseDisabled } from './find-endpoint.js';
import { type EnsureJob, withinActiveJobs } from './within-active-jobs.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'requireFeature'>;

/** Stores a replay job. The api process that finds it first runs it. */
export function createReplayJob(deps: Needs & Pick<Deps, 'places'>) {
  const { clock, newId, requireFeature } = deps;
  return async (call: Call, input: wire.CreateReplayJob): Promise<wire.ReplayJob> => {
    requireFeature('replayJobs');
    const at = clock.now();
    const times = timesOf(input, at);
    const id = newId('replayJob', at);
    return withinActiveJobs(deps, { id, workspaceId: call.workspace.id }, (ensureJob) =>
      storeJob(deps, call, { ...input, id, times, ensureJob }),
    );
  };
}

interface NewJob extends wire.CreateReplayJob {
  readonly id: ReplayJob['id'];
  readonly times: Pick<ReplayFilter, 'createdAfter' | 'createdBefore'>;
  readonly ensureJob: EnsureJob;
}

function storeJob(
  { mutate, clock, newId }: Needs,
  call: Call,
  { id, times, ensureJob, ...input }: NewJob,
): Promise<wire.ReplayJob> {
  const { workspace, actor, source, traceId } = call;
  return mutate(call, async (tx) => {
    const at = clock.now();
    const endpointId = await findTarget(tx, workspace.id, input.endpointId);
    await ensureJob(tx);
    const job = newReplayJob({
      id,
      workspaceId: workspace.id,
      actor,
      source,
      traceId,
      filter: { ...conditionsOf(input), ...times, endpointId },
      dryRun: input.dryRun ?? false,
      ratePerSecond: input.ratePerSecond ?? DEFAULT_REPLAY_RATE,
      createdAt: at,
    });
    await tx.replayJobs.insert(job);
    const result = showReplayJob(job);
    const { filter, dryRun, ratePerSecond } = result;
    const entry = auditEntry(call, newId, {
      action: 'webhook.replay_job_created',
      target: { type: 'replay_job', id: job.id },
      metadata: { filter, dryRun, ratePerSecond },
      at,
    });
    return { result, audit: [entry], outbox: [] };
  });
}

function conditionsOf(input: wire.CreateReplayJob): Omit<ReplayFilter, 'endpointId' | keyof NewJob['times']> {
  const { lastFailureReasons } = input;
  return {
    statuses: [...new Set(input.statuses ?? DEFAULT_REPLAY_STATUSES)],
    eventTypes: input.eventTypes === undefined ? null : [...new Set(input.eventTypes)],
    failureReasons: input.failureReasons === undefined ? null : [...new Set(input.failureReasons)],
    ...(lastFailureReasons !== undefined && { lastFailureReasons: [...new Set(lastFailureReasons)] }),
    includeReplayed: input.includeReplayed ?? false,
  };
}

function timesOf({ createdAfter, createdBefore }: wire.CreateReplayJob, at: Date): NewJob['times'] {
  return {
    createdAfter: new Date(createdAfter),
    createdBefore: readEnd(createdBefore) ?? at,
  };
}

/** The mistakes in the input of a replay job that its schema cannot express. */
export function replayJobMistakes(
  deps: Pick<Deps, 'catalogue' | 'clock'>,
  { eventTypes, ...times }: { readonly [Name in keyof wire.CreateReplayJob]?: unknown },
): readonly Mistake[] {
  const names = (Array.isArray(eventTypes) ? eventTypes : []) as readonly unknown[];
  const selected = names.flatMap((name, index) =>
    typeof name === 'string' ? [[`eventTypes[${index}]`, name] as const] : [],
  );
  return [...unknownTypes(deps, Object.fromEntries(selected)), ...timeMistakes(times, deps.clock.now())];
}

function timeMistakes(
  input: { readonly createdAfter?: unknown; readonly createdBefore?: unknown },
  now: Date,
): readonly Mistake[] {
  const [after, before] = [readDateTime(input.createdAfter), readEnd(input.createdBefore)];
  if (after === null) return [];
  if (input.createdBefore === undefined)
    return after < now ? [] : [{ path: 'createdAfter', message: 'must be in the past' }];
  const isAfter = before === null || before > after;
  return isAfter ? [] : [{ path: 'createdBefore', message: 'must be after createdAfter' }];
}

/** @throws Refusal `EndpointNotFound` or `EndpointDisabled` */
async function findTarget(
  { endpoints }: { readonly endpoints: Pick<Transaction['endpoints'], 'find'> },
  workspaceId: string,
  id: string | undefined,
) {
  if (id === undefined) return null;
  const endpoint = await findLiveEndpoint(endpoints, workspaceId, id);
  refuseDisabled(endpoint);
  return endpoint.id;
}
