import type { Verdicts } from '../ports/guard.js';

export interface Withheld {
  /** Keeps the verdicts of an endpoint's failure. @returns false if there is no room for it */
  keep(endpointId: string, verdicts: Verdicts, now: number): boolean;
  /** A POST to the endpoint reached a server: it need not wait until it fails again. */
  reached(endpointId: string): void;
  /** How long to wait before the next POST to an endpoint, in milliseconds. 0 starts the time until the next. */
  waitMs(endpointId: string, now: number): number;
  /** Records what was kept before a time. */
  recordBefore(time: number): void;
  /** @returns what was kept of some endpoints, and keeps it no longer */
  take(isMeant: (endpointId: string) => boolean): readonly Verdicts[];
  /** @returns their number */
  discardAll(): number;
  size(): number;
}

interface Entry {
  readonly endpointId: string;
  readonly verdicts: Verdicts;
  readonly at: number;
}

interface Waiting {
  kept: number;
  isReached: boolean;
  trialAt: number;
}

export interface WithheldLimits {
  /** Failures that are kept in all. 0 keeps none. */
  readonly maxWithheld: number;
  /** Failures of an endpoint that are kept. */
  readonly withheldPerEndpoint: number;
  /** The time between two POSTs to an endpoint of which that many are kept, in milliseconds: they show when it is reached. */
  readonly trialEveryMs: number;
}

/**
 * Failures that are not recorded yet, oldest first. Their number is limited for each endpoint, so that a busy one neither
 * collects enough to be disabled nor fills the memory before there is a verdict, and in all.
 */
export function createWithheld({ maxWithheld, withheldPerEndpoint, trialEveryMs }: WithheldLimits): Withheld {
  let entries: Entry[] = [];
  const endpoints = new Map<string, Waiting>();
  const release = ({ endpointId }: Entry) => {
    const endpoint = endpoints.get(endpointId);
    if (endpoint === undefined) return;
    endpoint.kept -= 1;
    if (endpoint.kept === 0) endpoints.delete(endpointId);
  };
  const take = (isMeant: (entry: Entry) => boolean) => {
    const { taken = [], left = [] } = Object.groupBy(entries, (entry) => (isMeant(entry) ? 'taken' : 'left'));
    entries = left;
    for (const entry of taken) release(entry);
    return taken.map(({ verdicts }) => verdicts);
  };
  return {
    keep(endpointId, verdicts, now) {
      const endpoint = endpoints.get(endpointId) ?? { kept: 0, isReached: false, trialAt: now };
      endpoint.isReached = false;
      if (entries.length >= maxWithheld || endpoint.kept >= withheldPerEndpoint) return false;
      endpoint.kept += 1;
      endpoint.trialAt = now + trialEveryMs;
      endpoints.set(endpointId, endpoint);
      entries.push({ endpointId, verdicts, at: now });
      return true;
    },
    reached(endpointId) {
      const endpoint = endpoints.get(endpointId);
      if (endpoint !== undefined) endpoint.isReached = true;
    },
    waitMs(endpointId, now) {
      const endpoint = endpoints.get(endpointId);
      if (endpoint === undefined || endpoint.isReached || endpoint.kept < withheldPerEndpoint) return 0;
      if (now < endpoint.trialAt) return endpoint.trialAt - now;
      endpoint.trialAt = now + trialEveryMs;
      return 0;
    },
    recordBefore(time) {
      for (const verdicts of take(({ at }) => at < time)) verdicts.record();
    },
    take: (isMeant) => take(({ endpointId }) => isMeant(endpointId)),
    discardAll() {
      const taken = entries;
      entries = [];
      endpoints.clear();
      for (const { verdicts } of taken) verdicts.discard();
      return taken.length;
    },
    size: () => entries.length,
  };
}
