import {
  DEFAULT_REPLAY_RATE,
  DEFAULT_REPLAY_STATUSES,
  newReplayJob,
  type ReplayFilter,
  type ReplayJob,
} from '@postrider/shared/domain/replay-job';
import type * as wire from '../contract/replay-job.js';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showReplayJob } from '../views/replay-job.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { refuseUnknownTypes } from './event-type-names.js';
import { findLiveEndpoint, refuseDisabled } from './find-endpoint.js';
import { type EnsureJob, withinActiveJobs } from './within-active-jobs.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'requireFeature' | 'catalogue'>;

/** Stores a replay job. The api process that finds it first runs it. */
export function createReplayJob(deps: Needs & Pick<Deps, 'places' | 'endpoints'>) {
  const { clock, newId, requireFeature, catalogue, endpoints } = deps;
  return async (call: Call, input: wire.CreateReplayJob): Promise<wire.ReplayJob> => {
    requireFeature('replayJobs');
    const selected = (input.eventTypes ?? []).map((name, index) => [`eventTypes[${index}]`, name] as const);
    refuseUnknownTypes({ catalogue }, Object.fromEntries(selected));
    const at = clock.now();
    const times = timesOf(input, at);
    await findTarget({ endpoints }, call.workspace.id, input.endpointId);
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
  const { workspace, actor, traceId } = call;
  return mutate(call, async (tx) => {
    const at = clock.now();
    const endpointId = await findTarget(tx, workspace.id, input.endpointId);
    await ensureJob(tx);
    const job = newReplayJob({
      id,
      workspaceId: workspace.id,
      actor,
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

function conditionsOf(
  input: wire.CreateReplayJob,
): Pick<ReplayFilter, 'statuses' | 'eventTypes' | 'failureReasons' | 'includeReplayed'> {
  return {
    statuses: [...new Set(input.statuses ?? DEFAULT_REPLAY_STATUSES)],
    eventTypes: input.eventTypes === undefined ? null : [...new Set(input.eventTypes)],
    failureReasons: input.failureReasons === undefined ? null : [...new Set(input.failureReasons)],
    includeReplayed: input.includeReplayed ?? false,
  };
}

/** @throws Refusal `InvalidRequest` unless the job ends after it begins */
function timesOf(input: wire.CreateReplayJob, at: Date): NewJob['times'] {
  const createdAfter = new Date(input.createdAfter);
  const createdBefore = input.createdBefore === undefined ? at : new Date(input.createdBefore);
  if (createdBefore > createdAfter) return { createdAfter, createdBefore };
  const path = input.createdBefore === undefined ? 'createdAfter' : 'createdBefore';
  const message = path === 'createdAfter' ? 'must be in the past' : 'must be after createdAfter';
  throw new Refusal('InvalidRequest', `${path} ${message}.`, [{ path, message }]);
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
