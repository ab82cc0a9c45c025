import { HOUR_MS } from '@postrider/shared/domain/durations';
import type { Endpoint, SearchedEndpoint } from '@postrider/shared/domain/endpoint';
import { latencyPercentiles } from '@postrider/shared/domain/latency-buckets';
import { addCounts, type HourCounts, hourOf } from '@postrider/shared/domain/stat-hours';
import type { EndpointHealth } from '../contract/webhook.js';
import {
  ENDPOINT_STATES,
  type EndpointState,
  isSlow,
  latencyBucketsOf,
  statesOf,
} from '../domain/endpoint-health.js';
import type { Deps } from './deps.js';
import { currentPeriodOf } from './held-counts.js';

type Needs = Pick<Deps, 'stats' | 'deliveries' | 'clock'>;

/** The number of hours that are judged: the current one and the one before. */
const JUDGED_HOURS = 2;
const SHOWN_HOURS = 24;

/**
 * The states of endpoints, in the same order. `held` is read only if it is among the asked states, because it costs a
 * query of its own.
 */
export async function readStates(
  deps: Needs,
  endpoints: readonly SearchedEndpoint[],
  asked: readonly EndpointState[] = ENDPOINT_STATES,
): Promise<readonly (readonly EndpointState[])[]> {
  const enabled = endpoints.filter(({ enabled }) => enabled);
  const [hours, held] = await Promise.all([
    readHours(deps, enabled, JUDGED_HOURS),
    asked.includes('held') ? readHeld(deps, endpoints) : new Map<string, number>(),
  ]);
  return endpoints.map((endpoint) =>
    statesOf(endpoint, {
      hasHeld: held.has(endpoint.id),
      isSlow: isSlow(sumOf(hours.get(endpoint.id) ?? [])),
    }),
  );
}

/** The health of endpoints in the latest hours, in the same order. */
export async function readHealth(
  deps: Needs,
  endpoints: readonly Endpoint[],
): Promise<readonly EndpointHealth[]> {
  const [states, hours] = await Promise.all([
    readStates(deps, endpoints),
    readHours(deps, endpoints, SHOWN_HOURS),
  ]);
  const begins = lastHours(deps, SHOWN_HOURS);
  const now = deps.clock.now();
  return endpoints.map((endpoint, index) => ({
    ...healthOf(begins, states[index] ?? [], hours.get(endpoint.id) ?? []),
    failingSince: endpoint.failingSince?.toISOString() ?? null,
    nextProbeAt: nextProbeOf(endpoint, now),
  }));
}

/** A time in the past is about to be replaced by the next one of the schedule. */
function nextProbeOf({ enabled, probeAt }: Endpoint, now: Date): string | null {
  return !enabled && probeAt != null && probeAt > now ? probeAt.toISOString() : null;
}

function healthOf(
  begins: readonly Date[],
  states: readonly EndpointState[],
  hours: readonly HourCounts[],
): Omit<EndpointHealth, 'failingSince' | 'nextProbeAt'> {
  const judged = begins.slice(-JUDGED_HOURS).map((hour) => hour.getTime());
  const latest = hours.filter(({ hour }) => judged.includes(hour.getTime()));
  return {
    states: [...states],
    latencyMs: latencyPercentiles(latencyBucketsOf(sumOf(latest))),
    hours: begins.map((begin) => {
      const found = hours.filter(({ hour }) => hour.getTime() === begin.getTime());
      const count = (name: string) => Math.max(0, sumOf(found).get(name) ?? 0);
      const lost = count('failedPermanent') + count('deadLettered');
      return { start: begin.toISOString(), delivered: count('delivered'), failed: count('failed') + lost };
    }),
  };
}

/** Returns the endpoints that have held deliveries. */
function readHeld({ deliveries }: Needs, endpoints: readonly SearchedEndpoint[]) {
  return deliveries.countHeld(
    endpoints.flatMap((endpoint) => currentPeriodOf(endpoint) ?? []),
    1,
  );
}

function readHours({ stats, clock }: Needs, endpoints: readonly SearchedEndpoint[], count: number) {
  if (endpoints.length === 0) return new Map<string, readonly HourCounts[]>();
  const ids = endpoints.map(({ id }) => id);
  return stats.hoursOf(ids, lastHours({ clock }, count));
}

/** The start of each of the latest hours, the current one last. */
function lastHours({ clock }: Pick<Needs, 'clock'>, count: number): readonly Date[] {
  const current = hourOf(clock.now()).getTime();
  return Array.from({ length: count }, (_, index) => new Date(current - (count - 1 - index) * HOUR_MS));
}

function sumOf(hours: readonly HourCounts[]): ReadonlyMap<string, number> {
  const sum = new Map<string, number>();
  for (const { fields } of hours) addCounts(sum, fields);
  return sum;
}
