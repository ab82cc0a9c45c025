import { createRequire } from 'node:module';
import { expect } from 'chai';
import { patchRequestQueue } from '../../src/kafka/quiet-request-queue.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';
import { eventually } from '../../src/testing/eventually.js';

/** The parts of a queue that the tests use; the client does not export its type. The timer is set while it has an id. */
interface Queue {
  push(request: object): void;
  fulfillRequest(response: object): void;
  maybeThrottle(milliseconds: number): void;
  checkPendingRequests(): void;
  scheduleRequestTimeoutCheck(): void;
  destroy(): void;
  throttleCheckTimeoutId: unknown;
}

const RequestQueue = createRequire(import.meta.url)('kafkajs/src/network/requestQueue/index.js');

const quiet = () => {};
const LOGGER = { debug: quiet, warn: quiet };

describe('patched request queue of the Kafka client', () => {
  let queue: Queue;
  let sent: number[];
  let answered: number[];
  let rejected: number[];

  beforeEach(() => {
    sent = [];
    answered = [];
    rejected = [];
    queue = new RequestQueue({
      maxInFlightRequests: 1,
      requestTimeout: 100,
      enforceRequestTimeout: true,
      clientId: 'test',
      broker: 'localhost:9092',
      logger: LOGGER,
    });
  });
  afterEach(() => {
    queue.destroy();
  });

  const push = (correlationId: number) =>
    queue.push({
      entry: {
        correlationId,
        apiKey: 0,
        apiName: 'Test',
        apiVersion: 0,
        resolve: () => answered.push(correlationId),
        reject: () => rejected.push(correlationId),
      },
      expectResponse: true,
      sendRequest: () => sent.push(correlationId),
    });
  const answer = (correlationId: number) => queue.fulfillRequest({ correlationId, payload: {}, size: 1 });

  it('sets no timer without pending requests', () => {
    push(1);
    answer(1);
    queue.checkPendingRequests();
    expect(answered).to.deep.equal([1]);
    expect(queue.throttleCheckTimeoutId).to.equal(null);
  });

  it('sends pending requests as soon as there is room', () => {
    push(1);
    push(2);
    expect(sent).to.deep.equal([1]);
    answer(1);
    expect(sent).to.deep.equal([1, 2]);
  });

  it('sends throttled requests when the throttling ends, and not before', async () => {
    queue.maybeThrottle(30);
    const throttledAt = performance.now();
    push(1);
    push(2);
    expect(sent).to.deep.equal([]);
    await eventually(() => expect(sent).to.deep.equal([1]));
    expect(performance.now() - throttledAt).to.be.at.least(28);
    answer(1);
    expect(sent).to.deep.equal([1, 2]);
  });

  it('checks again while requests wait for room and stops afterwards', async () => {
    let looks = 0;
    const look = queue.checkPendingRequests;
    queue.checkPendingRequests = () => {
      looks += 1;
      look.call(queue);
    };
    push(1);
    push(2);
    await eventually(() => expect(looks).to.be.above(2));
    answer(1);
    answer(2);
    await eventually(() => expect(queue.throttleCheckTimeoutId).to.equal(null));
    expect(answered).to.deep.equal([1, 2]);
  });

  it('rejects a request without a response after its time-out, and sends the next', async () => {
    queue.scheduleRequestTimeoutCheck();
    push(1);
    push(2);
    await eventually(() => expect(rejected).to.include(1));
    expect(sent).to.deep.equal([1, 2]);
  });

  const strangers: readonly (readonly [what: string, requestQueue: unknown, missing: string])[] = [
    ['that is gone', undefined, 'the class'],
    ['without its methods', class {}, 'checkPendingRequests()'],
    ['whose timer works on other fields', otherFields(), 'this.pending in scheduleCheckPendingRequests()'],
  ];
  for (const [what, requestQueue, missing] of strangers) {
    it(`rejects a class ${what}`, () => {
      expect(() => patchRequestQueue(requestQueue)).to.throw(UnknownInternals, missing);
    });
  }
});

function otherFields(): unknown {
  return class {
    destroy() {}
    scheduleRequestTimeoutCheck() {}
    checkPendingRequests() {}
    scheduleCheckPendingRequests() {}
  };
}
