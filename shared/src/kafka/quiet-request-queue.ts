import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const REQUEST_QUEUE: ClientInternals = {
  module: 'kafkajs/src/network/requestQueue/index.js',
  methods: {
    checkPendingRequests: [],
    scheduleCheckPendingRequests: ['pending', 'throttledUntil', 'throttleCheckTimeoutId'],
    scheduleRequestTimeoutCheck: ['enforceRequestTimeout', 'inflight', 'isConnected'],
    destroy: ['throttleCheckTimeoutId', 'requestTimeoutIntervalId'],
  },
};
/** Interval of the check for pending requests without throttling, as in the client. */
const RECHECK_MS = 10;
/** How late a time-out of a request may be noticed, as a share of it. The client looks ten times a second. */
const TIMEOUT_TOLERANCE = 1 / 10;

/** A request that waits for its response. Times are epoch milliseconds. */
interface SentRequest {
  readonly sentAt: number;
  readonly requestTimeout: number;
  timeoutRequest(): void;
}

/** The fields of the client's request queue that its timers need. */
interface RequestQueue {
  readonly pending: readonly unknown[];
  /** Epoch milliseconds; in the past, or −1, without throttling. */
  readonly throttledUntil: number;
  throttleCheckTimeoutId: NodeJS.Timeout | null;
  readonly enforceRequestTimeout: boolean;
  readonly requestTimeout: number;
  readonly inflight: ReadonlyMap<number, SentRequest>;
  readonly isConnected: () => boolean;
  requestTimeoutIntervalId: NodeJS.Timeout | undefined;
  destroy(): void;
  scheduleRequestTimeoutCheck(): void;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
}

/**
 * Replaces the timers of the client's request queues. The one for pending requests is set again after every response and whenever
 * it fires, even if nothing is pending, and with a negative delay, which Node turns into 1 ms: an endless loop per connection
 * that costs CPU and triggers warnings. The replacement is set only while requests are pending. The one for time-outs wakes an
 * idle process ten times a second for each connection; the replacement does so every few seconds.
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
  prototype.scheduleRequestTimeoutCheck = function schedule(this: RequestQueue): void {
    if (!this.enforceRequestTimeout) return;
    this.destroy();
    const everyMs = this.requestTimeout * TIMEOUT_TOLERANCE;
    this.requestTimeoutIntervalId = setInterval(() => checkTimeouts(this), everyMs);
  };
}

function checkTimeouts(queue: RequestQueue): void {
  for (const request of queue.inflight.values()) {
    if (Date.now() - request.sentAt > request.requestTimeout) request.timeoutRequest();
  }
  if (!queue.isConnected()) queue.destroy();
}

patchRequestQueue(loadInternals(REQUEST_QUEUE));
