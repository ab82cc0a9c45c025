import { countByKey } from '@postrider/shared/runtime/count-by-key';
import type { EndpointRef } from '../scheduler/lanes.js';
import type { Standing } from '../scheduler/standing.js';
import type { Job } from './job.js';

/**
 * Limits the jobs in memory: one budget for all, whether they came from messages or from rows. An endpoint may have as many
 * as are still free, and a workspace three times as many, however many endpoints it has. So a workspace that is alone may
 * use most of the budget, and there is always room for others.
 */
export interface JobBudget {
  /** Whether another job of the endpoint may be kept in memory. */
  admits(endpoint: EndpointRef, standing: Standing): boolean;
  add(job: Job): void;
  remove(job: Job): void;
  /** How many more jobs may be added. */
  free(): number;
  /** How many more jobs a workspace may have; `uncounted` of those that it has do not count. */
  roomFor(workspaceId: string, uncounted: number): number;
  /** Whether another unproven job may be kept in memory. They are limited because they leave slowly. */
  hasRoomForUnproven(): boolean;
  jobsOf(endpointId: string): number;
  /** The number of a workspace's unproven jobs. */
  unprovenOf(workspaceId: string): number;
}

/** A workspace with fewer jobs than this may have another while any is free, and an endpoint while its workspace may. */
const GUARANTEED_JOBS = 4;
/** Maximum number of jobs of a silent endpoint. It has one POST in flight, so more would only wait. */
export const SILENT_JOBS = 2;
const WORKSPACE_FACTOR = 3;

/** @param onUnproven called when the number of a workspace's unproven jobs changes */
export function createJobBudget(limit: number, onUnproven: (workspaceId: string) => void): JobBudget {
  const byEndpoint = new Map<string, number>();
  const byWorkspace = new Map<string, number>();
  const unprovenByWorkspace = new Map<string, number>();
  let total = 0;
  let unproven = 0;
  const change = (job: Job, by: 1 | -1) => {
    const { endpointId, workspaceId } = job.message;
    total += by;
    countByKey(byEndpoint, endpointId, by);
    countByKey(byWorkspace, workspaceId, by);
    if (!job.isUnproven) return;
    unproven += by;
    countByKey(unprovenByWorkspace, workspaceId, by);
    onUnproven(workspaceId);
  };
  const free = () => Math.max(limit - total, 0);
  /** Each job that is added also takes one that is free. */
  const roomBeside = (ofWorkspace: number) => {
    const ofShare = Math.ceil((WORKSPACE_FACTOR * free() - ofWorkspace) / (WORKSPACE_FACTOR + 1));
    return Math.min(Math.max(ofShare, GUARANTEED_JOBS - ofWorkspace, 0), free());
  };
  const hasRoomForUnproven = () => unproven < limit / 2 && free() > 0;
  return {
    admits({ endpointId, workspaceId }, standing) {
      const own = byEndpoint.get(endpointId) ?? 0;
      if (standing === 'silent') return own < SILENT_JOBS && hasRoomForUnproven();
      return (own < GUARANTEED_JOBS || own < free()) && roomBeside(byWorkspace.get(workspaceId) ?? 0) > 0;
    },
    add: (job) => change(job, 1),
    remove: (job) => change(job, -1),
    free,
    roomFor: (workspaceId, uncounted) => roomBeside((byWorkspace.get(workspaceId) ?? 0) - uncounted),
    hasRoomForUnproven,
    jobsOf: (endpointId) => byEndpoint.get(endpointId) ?? 0,
    unprovenOf: (workspaceId) => unprovenByWorkspace.get(workspaceId) ?? 0,
  };
}
