import type { EndpointTarget, SubscribedEndpoint } from './endpoint.js';

/** Characters of an endpoint's other fields that take as much time and memory to read as a subscription. */
const CHARACTERS_OF_SUBSCRIPTION = 128;

/**
 * The time and memory that reading a subscriber takes, in subscriptions, including replaced ones: reads of subscribers are limited
 * by it. Headers, a filter and a URL may be as large as a hundred subscriptions. Any of them may be damaged.
 */
export function costOfReading(subscriber: SubscribedEndpoint): number {
  const { subscriptions, url, filter, headers, earlierPeriods } = subscriber;
  const count = subscriptions.reduce((sum, { earlier }) => sum + 1 + (earlier?.length ?? 0), 0);
  const characters = lengthOf(url) + lengthOf(filter) + lengthOf(headers?.sealed?.box);
  return count + lengthOf(earlierPeriods) + Math.floor(characters / CHARACTERS_OF_SUBSCRIPTION);
}

/** The memory that one remembered period takes, in bytes. */
const PERIOD_BYTES = 384;

/** The memory that the fields of variable length take of a target, in bytes. Any of them may be damaged. */
export function bytesOfTarget({ url, headers, earlierPeriods }: EndpointTarget): number {
  return lengthOf(url) + lengthOf(headers?.sealed?.box) + PERIOD_BYTES * lengthOf(earlierPeriods);
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' || Array.isArray(value) ? value.length : 0;
}
