import { createRequire } from 'node:module';
import { expect } from 'chai';
import { patchFulfilled } from '../../src/kafka/forget-fulfilled.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

const load = createRequire(import.meta.url);
const RequestQueue = load('kafkajs/src/network/requestQueue/index.js');
const SocketRequest = load('kafkajs/src/network/requestQueue/socketRequest.js');
const quiet = () => {};
const newQueue = (warn: (text: string) => void = quiet) =>
  new RequestQueue({
    maxInFlightRequests: null,
    requestTimeout: 100,
    enforceRequestTimeout: false,
    clientId: 'test',
    broker: 'localhost:9092',
    logger: { debug: quiet, warn },
  });

describe('forgotten requests of the Kafka client', () => {
  it('keeps a request whole until its response was handed on, and nothing of it afterwards', () => {
    const queue = newQueue();
    const responses: unknown[] = [];
    const entry = { correlationId: 1, apiKey: 0, apiName: 'Test', apiVersion: 0, reject: quiet };
    const resolve = (response: unknown) => responses.push(response);
    queue.push({ entry: { ...entry, resolve }, expectResponse: true, sendRequest: quiet });
    const request = queue.inflight.get(1);
    expect(request.entry).to.include(entry);
    queue.fulfillRequest({ correlationId: 1, payload: 'answer', size: 6 });
    expect(responses).to.have.length(1);
    expect(responses[0]).to.include({ correlationId: 1, payload: 'answer', size: 6 });
    expect(request).to.include({ entry: null, sendRequest: null, timeoutHandler: null });
    expect(queue.inflight.size).to.equal(0);
  });

  it('leaves a response without a request to the client', () => {
    const warnings: string[] = [];
    const queue = newQueue((text) => warnings.push(text));
    queue.fulfillRequest({ correlationId: 7, payload: 'late', size: 4 });
    expect(warnings).to.deep.equal(['Response without match']);
  });

  const strangers: readonly (readonly [what: string, queue: unknown, request: unknown, missing: string])[] = [
    ['a queue without its methods', class {}, SocketRequest, 'fulfillRequest()'],
    ['a request without its fields', RequestQueue, class {}, 'this.entry in constructor()'],
  ];
  for (const [what, queue, request, missing] of strangers) {
    it(`rejects ${what}`, () => {
      expect(() => patchFulfilled(queue, request)).to.throw(UnknownInternals, missing);
    });
  }
});
