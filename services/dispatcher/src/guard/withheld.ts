import { countByKey } from '@postrider/shared/runtime/count-by-key';
import type { Evidence, ObservationActions } from '../ports/guard.js';

export interface Withheld {
  /** Keeps an observation of an endpoint's failure. @returns false if there is no room for it */
  keep(of: FailedEndpoint, actions: ObservationActions, now: number): boolean;
  /** A POST to the endpoint reached a server: it need not wait until it fails again. */
  reached(endpointId: string): void;
  /** How long to wait before the next POST to an endpoint, in milliseconds. Returning 0 starts the wait before the next. */
  waitMs(endpointId: string, now: number): number;
  /** Records the observations that were kept before a time. */
  recordBefore(time: number): void;
  /** Removes the observations of an endpoint. @returns them, oldest first */
  takeOf(endpointId: string): readonly ObservationActions[];
  /** Removes the observations of some endpoints. @returns them, oldest first */
  take(matches: (endpointId: string) => boolean): readonly ObservationActions[];
  /** @returns their number */
  discardAll(): number;
  size(): number;
}

type FailedEndpoint = Pick<Evidence, 'workspaceId' | 'endpointId'>;

interface Entry extends FailedEndpoint {
  readonly actions: ObservationActions;
  readonly at: number;
}

interface Waiting {
  kept: number;
  isReached: boolean;
  trialAt: number;
}

export interface WithheldLimits {
  /** Maximum number of failures kept in total, twice as many with those of workspaces that have few; 0 keeps none. */
  readonly maxWithheld: number;
  /** Maximum number of failures kept for one endpoint. */
  readonly withheldPerEndpoint: number;
  /** The time between two POSTs to an endpoint beyond a maximum, in milliseconds: they show when it is reached again. */
  readonly trialEveryMs: number;
}

/** A workspace with fewer failures than this has few. */
const FEW = 16;

/**
 * Failures that are not recorded yet, oldest first. Their number is limited for each endpoint, so that a busy one neither
 * collects enough to be disabled nor fills the memory before there is a verdict, and in all. As many again are reserved for
 * workspaces that have few, so that one with many unreachable endpoints leaves room to others.
 */
export function createWithheld({ maxWithheld, withheldPerEndpoint, trialEveryMs }: WithheldLimits): Withheld {
  let entries: Entry[] = [];
  const endpoints = new Map<string, Waiting>();
  const byWorkspace = new Map<string, number>();
  /** When the endpoints for whose last failures there was no room are tried again; empty once there is room. */
  const refused = new Map<string, number>();
  const hasFew = (workspaceId: string) => (byWorkspace.get(workspaceId) ?? 0) < FEW;
  const hasRoom = (workspaceId: string) =>
    entries.length < maxWithheld || (entries.length < 2 * maxWithheld && hasFew(workspaceId));
  const release = ({ workspaceId, endpointId }: Entry) => {
    countByKey(byWorkspace, workspaceId, -1);
    const endpoint = endpoints.get(endpointId);
    if (endpoint === undefined) return;
    endpoint.kept -= 1;
    if (endpoint.kept === 0) endpoints.delete(endpointId);
  };
  const take = (matches: (entry: Entry) => boolean) => {
    const { taken = [], left = [] } = Object.groupBy(entries, (entry) => (matches(entry) ? 'taken' : 'left'));
    entries = left;
    for (const entry of taken) release(entry);
    if (taken.length > 0) refused.clear();
    return taken.map(({ actions }) => actions);
  };
  return {
    keep({ workspaceId, endpointId }, actions, now) {
      const endpoint = endpoints.get(endpointId) ?? { kept: 0, isReached: false, trialAt: now };
      endpoint.isReached = false;
      if (endpoint.kept >= withheldPerEndpoint) return false;
      if (!hasRoom(workspaceId)) {
        refused.set(endpointId, now + trialEveryMs);
        return false;
      }
      endpoint.kept += 1;
      endpoint.trialAt = now + trialEveryMs;
      endpoints.set(endpointId, endpoint);
      entries.push({ workspaceId, endpointId, actions, at: now });
      countByKey(byWorkspace, workspaceId, 1);
      return true;
    },
    reached(endpointId) {
      refused.delete(endpointId);
      const endpoint = endpoints.get(endpointId);
      if (endpoint !== undefined) endpoint.isReached = true;
    },
    waitMs(endpointId, now) {
      const refusedUntil = refused.get(endpointId);
      if (refusedUntil !== undefined) {
        if (now < refusedUntil) return refusedUntil - now;
        refused.set(endpointId, now + trialEveryMs);
        return 0;
      }
      const endpoint = endpoints.get(endpointId);
      if (endpoint === undefined || endpoint.isReached || endpoint.kept < withheldPerEndpoint) return 0;
      if (now < endpoint.trialAt) return endpoint.trialAt - now;
      endpoint.trialAt = now + trialEveryMs;
      return 0;
    },
    recordBefore(time) {
      for (const actions of take(({ at }) => at < time)) actions.record();
    },
    takeOf: (endpointId) =>
      endpoints.has(endpointId) ? take((entry) => entry.endpointId === endpointId) : [],
    take: (matches) => take(({ endpointId }) => matches(endpointId)),
    discardAll() {
      const taken = entries;
      entries = [];
      endpoints.clear();
      byWorkspace.clear();
      refused.clear();
      for (const { actions } of taken) actions.discard();
      return taken.length;
    },
    size: () => entries.length,
  };
}
