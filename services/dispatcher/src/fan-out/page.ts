import type { SubscribedEndpoint } from '@postrider/shared/domain/endpoint';
import type { EndpointId } from '@postrider/shared/domain/id';
import type { SubscribersOf, TypeSubscriber } from './index-subscribers.js';
import type { OpenEvent } from './open-event.js';

/** Subscribers of a workspace, read after a number of its events had arrived. */
export interface Page {
  /** The page contains subscribers with identifiers above this one; null if it starts with the first. */
  readonly after: EndpointId | null;
  /** In order of identifier. */
  readonly subscribers: readonly SubscribedEndpoint[];
  readonly subscribersOf: SubscribersOf;
  /** Whether no subscribers follow. */
  readonly isLast: boolean;
  /** The last event that had arrived before it was read. Later events need a later page. */
  readonly upToArrival: number;
  /** When it was read, in milliseconds of a monotonic clock. */
  readonly readAt: number;
}

/**
 * Maximum age in milliseconds: held rows must be stored long before an ended period's replay stops, ten minutes after its end.
 */
const MAX_AGE_MS = 60_000;

/** Whether the subscribers may still be used. */
export function isCurrent({ readAt }: Page, now: number): boolean {
  return now - readAt < MAX_AGE_MS;
}

/** Whether the page has subscribers that the event needs next, or shows that there are none. */
export function serves(page: Page | null, event: OpenEvent): page is Page {
  if (page === null || event.arrival > page.upToArrival) return false;
  if (page.after !== null && (event.after === null || event.after < page.after)) return false;
  return page.isLast || isBefore(event.after, page.subscribers.at(-1)?.id);
}

function isBefore(after: EndpointId | null, last: EndpointId | undefined): boolean {
  return last !== undefined && (after === null || after < last);
}

/** The index of the first subscriber after an identifier. */
export function indexAfter(subscribers: readonly TypeSubscriber[], after: EndpointId | null): number {
  if (after === null) return 0;
  let low = 0;
  let high = subscribers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((subscribers[middle]?.endpoint.id ?? after) <= after) low = middle + 1;
    else high = middle;
  }
  return low;
}
