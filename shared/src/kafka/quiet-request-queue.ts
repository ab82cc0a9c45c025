import { type ClientInternals, loadInternals, prototypeOf } from './client-internals.js';

const REQUEST_QUEUE: ClientInternals = {
  module: 'kafkajs/src/network/requestQueue/index.js',
  methods: {
    checkPendingRequests: [],
    scheduleCheckPendingRequests: ['pending', 'throttledUntil', 'throttleCheckTimeoutId'],
    destroy: ['throttleCheckTimeoutId'],
  },
};
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

/**
 * Replaces the timer of the client's request queues. The client's own one is set again after every answer and every
 * time that it fires, with nothing pending too, and with a negative delay, which Node turns into 1 ms: an endless loop
 * per connection that costs idle CPU and makes Node warn. This one is set only when something is pending.
 *
 * @throws UnknownInsides when the class does not look as expected
 */
export function patchRequestQueue(requestQueue: unknown): void {
  const prototype = prototypeOf<RequestQueue>(REQUEST_QUEUE, requestQueue);
  prototype.scheduleCheckPendingRequests = function schedule(this: RequestQueue): void {
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

patchRequestQueue(loadInternals(REQUEST_QUEUE));
