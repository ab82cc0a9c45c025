import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const REQUEST_QUEUE: ClientInternals = {
  module: 'kafkajs/src/network/requestQueue/index.js',
  methods: { fulfillRequest: ['inflight'], createSocketRequest: [] },
};
const SOCKET_REQUEST: ClientInternals = {
  module: 'kafkajs/src/network/requestQueue/socketRequest.js',
  methods: { constructor: ['entry', 'sendRequest', 'timeoutHandler'] },
};

/** The references from a request to what was sent and to the caller that waits for its response. */
interface SentRequest {
  entry: unknown;
  sendRequest: unknown;
  timeoutHandler: unknown;
}

interface RequestQueue {
  readonly inflight: ReadonlyMap<number, SentRequest>;
  fulfillRequest(response: { readonly correlationId: number }): void;
}

/**
 * Makes the client release what a request and its response refer to as soon as the response was passed on. The map of requests in
 * flight makes a new table now and then, and each old table keeps the requests that were in it until a full garbage collection.
 * Through their callbacks these keep whole fetches and everything that was made from their messages.
 *
 * @throws UnknownInternals if a class is not as expected
 */
export function patchFulfilled(requestQueue: unknown, socketRequest: unknown): void {
  prototypeOf(SOCKET_REQUEST, socketRequest);
  const prototype = prototypeOf<RequestQueue>(REQUEST_QUEUE, requestQueue);
  const { fulfillRequest } = prototype;
  prototype.fulfillRequest = function fulfill(this: RequestQueue, response): void {
    const request = this.inflight.get(response.correlationId);
    fulfillRequest.call(this, response);
    if (request === undefined) return;
    request.entry = null;
    request.sendRequest = null;
    request.timeoutHandler = null;
  };
}

patchFulfilled(loadInternals(REQUEST_QUEUE), loadInternals(SOCKET_REQUEST));
