import { SYSTEM } from '../domain/audit-event.js';
import { type NewReplayJob, newReplayJob, type ReplayJob } from '../domain/replay-job.js';
import { idFor, NOON, TRACE_ID, WORKSPACE_ID } from './builders.js';

/** A job for all dead-lettered deliveries of a workspace. */
export function aReplayJob(changes: Partial<NewReplayJob> = {}): ReplayJob {
  return newReplayJob({
    id: idFor('replayJob', 'job'),
    workspaceId: WORKSPACE_ID,
    actor: SYSTEM,
    traceId: TRACE_ID,
    filter: {
      endpointId: null,
      statuses: ['dead_lettered'],
      eventTypes: null,
      failureReasons: null,
      createdAfter: NOON,
      createdBefore: NOON,
      includeReplayed: false,
    },
    dryRun: false,
    ratePerSecond: 50,
    createdAt: NOON,
    ...changes,
  });
}
