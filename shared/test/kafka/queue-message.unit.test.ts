import { expect } from 'chai';
import { createEnqueue } from '../../src/kafka/enqueue.js';
import { decodeQueueMessage, encodeQueueMessage } from '../../src/kafka/queue-message.js';
import type { OutgoingMessage } from '../../src/ports/queue.js';
import { DELIVERY_ID, ENDPOINT_ID, TRACE_ID, WORKSPACE_ID } from '../../src/testing/builders.js';

const SPAN_ID = '00f067aa0ba902b7';
const MESSAGE = {
  deliveryId: DELIVERY_ID,
  endpointId: ENDPOINT_ID,
  workspaceId: WORKSPACE_ID,
  ordinal: 3,
  traceId: TRACE_ID,
};

describe('queue message', () => {
  it('survives encoding and decoding and contains its version', () => {
    const text = encodeQueueMessage(MESSAGE);
    expect(JSON.parse(text)).to.deep.equal({ version: 1, ...MESSAGE });
    expect(decodeQueueMessage(Buffer.from(text))).to.deep.equal(MESSAGE);
  });

  it('has the size that the guide assumes: 0.25 GB of Kafka for a million messages', () => {
    expect(Buffer.byteLength(encodeQueueMessage(MESSAGE))).to.be.below(215);
  });

  // Regression: the problem repeated the version, which exceeded the stack.
  it('is invalid with any nesting', () => {
    const nested = (depth: number) => `{"version":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    for (const [depth, problem] of [
      [999, /^version \[+\]+ is unknown$/],
      [1_000, /^the value is nested deeper than 1000 levels$/],
      [400_000, /^the value is nested deeper than 1000 levels$/],
    ] as const)
      expect(decodeQueueMessage(Buffer.from(nested(depth))))
        .to.have.property('problem')
        .that.matches(problem);
  });

  it('has its parent span in a header, not in the value', () => {
    const text = encodeQueueMessage({ ...MESSAGE, parentSpanId: SPAN_ID });
    expect(JSON.parse(text)).to.deep.equal({ version: 1, ...MESSAGE });
    const read = decodeQueueMessage(Buffer.from(text), `00-${TRACE_ID}-${SPAN_ID}-01`);
    expect(read).to.deep.equal({ ...MESSAGE, parentSpanId: SPAN_ID });
    expect(decodeQueueMessage(Buffer.from(text), 'nonsense')).to.deep.equal(MESSAGE);
  });

  it('is published with that header only if it has a parent span', async () => {
    const sent: OutgoingMessage[] = [];
    const send = createEnqueue(async (messages) => void sent.push(...messages));
    const topic = 'webhook.deliveries';
    await send([
      { topic, message: MESSAGE },
      { topic, message: { ...MESSAGE, parentSpanId: SPAN_ID } },
    ]);
    const headers = [{}, { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` }];
    expect(sent.map((one) => one.headers)).to.deep.equal(headers);
  });

  it('has a class only if its delivery has one, and ignores classes it does not know', () => {
    const replay = { ...MESSAGE, class: 'replay' } as const;
    expect(decodeQueueMessage(Buffer.from(encodeQueueMessage(replay)))).to.deep.equal(replay);
    const unknown = JSON.stringify({ version: 1, ...MESSAGE, class: 'bulk' });
    expect(decodeQueueMessage(Buffer.from(unknown))).to.deep.equal(MESSAGE);
  });

  it('has a due time only if it waits for one', () => {
    const waiting = { ...MESSAGE, dueAt: new Date('2026-01-02T03:04:05.678Z') };
    expect(JSON.parse(encodeQueueMessage(waiting)).dueAt).to.equal('2026-01-02T03:04:05.678Z');
    expect(decodeQueueMessage(Buffer.from(encodeQueueMessage(waiting)))).to.deep.equal(waiting);
  });

  it('is decoded without unknown fields', () => {
    const text = JSON.stringify({ version: 1, ...MESSAGE, more: true });
    expect(decodeQueueMessage(Buffer.from(text))).to.deep.equal(MESSAGE);
  });

  const without = (name: string) => JSON.stringify({ version: 1, ...MESSAGE, [name]: undefined });
  const PROBLEMS: readonly (readonly [string, string | null, string])[] = [
    ['a null value', null, 'the value is empty'],
    ['an empty value', '', 'the value is not JSON'],
    ['broken JSON', '{"version":1', 'the value is not JSON'],
    ['null', 'null', 'the value is not an object'],
    ['a number', '7', 'the value is not an object'],
    ['a list', '[]', 'version undefined is unknown'],
    ['no version', without('version'), 'version undefined is unknown'],
    ['a later version', JSON.stringify({ ...MESSAGE, version: 2 }), 'version 2 is unknown'],
    ['no ordinal', without('ordinal'), 'ordinal is not a positive integer'],
    [
      'ordinal 0',
      JSON.stringify({ version: 1, ...MESSAGE, ordinal: 0 }),
      'ordinal is not a positive integer',
    ],
    [
      'half an ordinal',
      JSON.stringify({ version: 1, ...MESSAGE, ordinal: 1.5 }),
      'ordinal is not a positive integer',
    ],
    ['another due time', JSON.stringify({ version: 1, ...MESSAGE, dueAt: 'soon' }), 'dueAt is not a time'],
    [
      'a due time that is null',
      JSON.stringify({ version: 1, ...MESSAGE, dueAt: null }),
      'dueAt is not a time',
    ],
    // Regression: the object could not be converted to a text, and the error ended the process.
    [
      'an object as due time',
      JSON.stringify({ version: 1, ...MESSAGE, dueAt: { toString: 1, valueOf: 1 } }),
      'dueAt is not a time',
    ],
    [
      'a list as due time',
      JSON.stringify({ version: 1, ...MESSAGE, dueAt: ['2026-01-02T03:04:05.678Z'] }),
      'dueAt is not a time',
    ],
    ['no delivery', without('deliveryId'), 'deliveryId is missing'],
    ['no endpoint', without('endpointId'), 'endpointId is missing'],
    ['no workspace', without('workspaceId'), 'workspaceId is missing'],
    ['no trace', without('traceId'), 'traceId is missing'],
    [
      'an empty delivery',
      JSON.stringify({ version: 1, ...MESSAGE, deliveryId: '' }),
      'deliveryId is missing',
    ],
  ];
  for (const [what, value, problem] of PROBLEMS) {
    it(`of ${what} is rejected: ${problem}`, () => {
      expect(decodeQueueMessage(value === null ? null : Buffer.from(value))).to.deep.equal({ problem });
    });
  }
});
