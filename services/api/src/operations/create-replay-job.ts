import {
  DEFAULT_REPLAY_RATE,
  DEFAULT_REPLAY_STATUSES,
  newReplayJob,
  type ReplayFilter,
  type ReplayJob,
} from '@postrider/shared/domain/replay-job';
import type * as wire from '../contract/replay-job.js';
import { type InputError, Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showReplayJob } from '../views/replay-job.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { unknownTypes } from './event-type-names.js';
import { findLiveEndpoint, refuseDisabled } from './find-endpoint.js';
import { type EnsureJob, withinActiveJobs } from './within-active-jobs.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'requireFeature' | 'catalogue'>;

/** Stores a replay job. The api process that finds it first runs it. */
export function createReplayJob(deps: Needs & Pick<Deps, 'places'>) {
  const { clock, newId, requireFeature, catalogue } = deps;
  return async (call: Call, input: wire.CreateReplayJob): Promise<wire.ReplayJob> => {
    requireFeature('replayJobs');
    const selected = (input.eventTypes ?? []).map((name, index) => [`eventTypes[${index}]`, name] as const);
    const at = clock.now();
    const times = timesOf(input, at);
    const mistakes = [
      ...unknownTypes({ catalogue }, Object.fromEntries(selected)),
      ...mistakesIn(times, input),
    ];
    if (mistakes.length > 0) throw Refusal.invalid(...mistakes);
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
    createdBefore: createdBefore === undefined ? at : new Date(createdBefore),
  };
}

function mistakesIn(
  { createdAfter, createdBefore }: NewJob['times'],
  input: wire.CreateReplayJob,
): readonly InputError[] {
  if (createdBefore > createdAfter) return [];
  return input.createdBefore === undefined
    ? [{ path: 'createdAfter', message: 'must be in the past' }]
    : [{ path: 'createdBefore', message: 'must be after createdAfter' }];
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
