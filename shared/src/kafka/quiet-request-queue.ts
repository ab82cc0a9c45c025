import { type ClientInternals, loadInternals, prototypeOf } from './client-internals.js';

const REQUEST_QUEUE: ClientInternals = {
  module: 'kafkajs/src/network/requestQueue/index.js',
  methods: {
    checkPendingRequests: [],
    scheduleCheckPendingRequests: ['pending', 'throttledUntil', 'throttleCheckTimeoutId'],
    destroy: ['throttleCheckTimeoutId'],
  },
};
/** Interval of the check for pending requests without throttling, as in the client. */
const RECHECK_MS = 10;

/** The fields of the client's request queue that its timer needs. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Epoch milliseconds; in the past, or −1, without throttling. */
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/**
 * Replaces the timer of the client's request queues. The original is set again after every response and every time it
 * fires, even if nothing is pending, and with a negative delay, which Node turns into 1 ms: an endless loop per
 * connection that costs CPU and triggers warnings. The replacement is set only while requests are pending.
 *
 * @throws UnknownInternals if the class is not as expected
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
