import { createRequire } from 'node:module';

const MODULE = 'kafkajs/src/network/requestQueue/index.js';
/** Pending requests that no throttle holds back are looked at again after this; the client's own interval. */
const RECHECK_MS = 10;

/** The fields of the client's request queue that its timer needs. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Epoch milliseconds; in the past, or −1, when nothing throttles. */
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/** The client's insides are no longer what this module was written for. */
export class UnknownRequestQueue extends Error {
  override readonly name = 'UnknownRequestQueue';

  constructor(missing: string) {
    super(
      `${MODULE}: ${missing} not found. Its timer cannot be replaced; check whether that is still needed`,
    );
  }
}

/**
 * Replaces the timer of the client's request queues. The client's own one is set again after every answer and every
 * time that it fires, with nothing pending too, and with a negative delay, which Node turns into 1 ms: an endless loop
 * per connection that costs idle CPU and makes Node warn. This one is set only when something is pending.
 *
 * @throws UnknownRequestQueue when the class does not look as expected
 */
export function quietRequestQueue(requestQueue: unknown): void {
  prototypeOf(requestQueue).scheduleCheckPendingRequests = function schedule(this: RequestQueue): void {
    if (this.throttleCheckTimeoutId !== null || this.pending.length === 0) return;
    const throttledMs = this.throttledUntil - Date.now();
    this.throttleCheckTimeoutId = setTimeout(
      () => {
        this.throttleCheckTimeoutId = null;
        this.checkPendingRequests();
      },
      throttledMs > 0 ? throttledMs : RECHECK_MS,
    );
  };
}

function prototypeOf(requestQueue: unknown): RequestQueue {
  if (typeof requestQueue !== 'function') throw new UnknownRequestQueue('the class');
  const { prototype } = requestQueue;
  for (const method of ['checkPendingRequests', 'scheduleCheckPendingRequests', 'destroy']) {
    if (typeof prototype?.[method] !== 'function') throw new UnknownRequestQueue(`${method}()`);
  }
  const source = String(prototype.scheduleCheckPendingRequests);
  for (const field of ['this.pending', 'this.throttledUntil', 'this.throttleCheckTimeoutId']) {
    if (!source.includes(field)) throw new UnknownRequestQueue(field);
  }
  return prototype;
}

quietRequestQueue(createRequire(import.meta.url)(MODULE));
