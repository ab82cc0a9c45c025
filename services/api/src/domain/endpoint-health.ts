import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { exceeds } from '@postrider/shared/domain/latency-buckets';

/** Several may apply to an endpoint, for example `failing` and `slow`. */
export const ENDPOINT_STATES = [
  'healthy',
  'slow',
  'failing',
  'held',
  'disabled_by_operator',
  'disabled_by_failures',
] as const;
export type EndpointState = (typeof ENDPOINT_STATES)[number];

/** An endpoint is slow if more than this share of its latest attempts took longer than `limitMs` and were no longer prompt. */
const SLOW = { share: 0.05, limitMs: 1_000 };
/** An endpoint with fewer attempts is not judged. */
const MIN_ATTEMPTS = 20;

interface Evidence {
  readonly hasHeld: boolean;
  readonly isSlow: boolean;
}

/** The states of an endpoint; `healthy` if no other applies. */
export function statesOf(
  { disabledReason, consecutiveFailures }: Pick<Endpoint, 'disabledReason' | 'consecutiveFailures'>,
  { hasHeld, isSlow }: Evidence,
): readonly EndpointState[] {
  const states: EndpointState[] = [];
  if (disabledReason === 'consecutive_failures') states.push('disabled_by_failures');
  if (disabledReason === 'operator') states.push('disabled_by_operator');
  if (disabledReason !== null && hasHeld) states.push('held');
  if (disabledReason === null && consecutiveFailures > 0) states.push('failing');
  if (disabledReason === null && isSlow) states.push('slow');
  return states.length > 0 ? states : ['healthy'];
}

/** Counts of attempts by bucket of their latency. */
export function latencyBucketsOf(fields: ReadonlyMap<string, number>): ReadonlyMap<number, number> {
  return new Map(
    [...fields].flatMap(([field, count]) => {
      const [, bucket] = /^latency\.(\d+)$/.exec(field) ?? [];
      return bucket === undefined ? [] : [[Number(bucket), count] as const];
    }),
  );
}

/** @param fields the counts of the current hour and the one before */
export function isSlow(fields: ReadonlyMap<string, number>): boolean {
  const buckets = latencyBucketsOf(fields);
  const attempts = [...buckets.values()].reduce((sum, count) => sum + count, 0);
  return attempts >= MIN_ATTEMPTS && exceeds(buckets, SLOW);
}
