import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import { crc32c } from '../../src/kafka/crc32c.js';
import { encodeProduce, GZIP, type ProduceRequest } from '../../src/kafka/encode-produce.js';
import { isPlain, type ProduceArguments } from '../../src/kafka/quick-produce.js';
import { unpatched } from '../../src/testing/unpatched.js';

const load = createRequire(import.meta.url);
const Long = load('kafkajs/src/utils/long.js');

type CreateRequest = (args: object) => { encode(): Promise<{ readonly buffer: Buffer }> };
const usual = unpatched<CreateRequest>('kafkajs/src/protocol/requests/produce/v3/request.js');
const NOW = 1_772_366_400_123;
/** The client's encoding at a fixed time. */
async function encodedAsUsual(request: ProduceRequest): Promise<Buffer> {
  const { now } = Date;
  Date.now = () => NOW;
  try {
    return (await usual(request).encode()).buffer;
  } finally {
    Date.now = now;
  }
}

const text = fc.string({ unit: 'binary', maxLength: 200 });
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const field = fc.oneof(text, bytes);
const message = fc.record({
  key: fc.oneof(field, fc.constant(null)),
  value: fc.oneof(field, fc.constant(null)),
  headers: fc.dictionary(text, fc.oneof(field, fc.array(field, { maxLength: 3 })), { maxKeys: 9 }),
});
const partition = fc.record({
  partition: fc.nat(100),
  // The client's own sequence without an idempotent producer.
  firstSequence: fc.constant(0),
  messages: fc.array(message, { minLength: 1, maxLength: 6 }),
});
const REQUESTS = fc.record({
  acks: fc.constantFrom(-1, 0, 1),
  timeout: fc.nat(60_000),
  topicData: fc.array(fc.record({ topic: text, partitions: fc.array(partition, { maxLength: 3 }) }), {
    maxLength: 3,
  }),
});

describe('encoded produce request', () => {
  it('has the bytes of the client library', async () => {
    const check = async (request: ProduceRequest) => {
      expect(encodeProduce(request, NOW)).to.deep.equal(await encodedAsUsual(request));
    };
    await fc.assert(fc.asyncProperty(REQUESTS, check), { numRuns: 300 });
  });

  it('may be larger than everything before it', async () => {
    const large = { key: 'a', value: Buffer.alloc(900_000, 'x'), headers: { long: 'é'.repeat(9_000) } };
    const messages = Array.from({ length: 3 }, () => large);
    const topicData = [{ topic: 'events', partitions: [{ partition: 0, firstSequence: 0, messages }] }];
    const request = { acks: -1, timeout: 30_000, topicData };
    const expected = await encodedAsUsual(request);
    expect(encodeProduce(request, NOW).equals(expected)).to.equal(true);
  });
});

describe('a produce request with what our encoding does not write', () => {
  const plain: ProduceArguments = {
    acks: -1,
    timeout: 1,
    topicData: [{ topic: 'a', partitions: [{ partition: 0, messages: [{ key: 'b', value: 'c' }] }] }],
  };
  const withTime = [
    { topic: 'a', partitions: [{ partition: 0, messages: [{ key: 'b', timestamp: '1772366400123' }] }] },
  ];
  for (const [what, extra] of Object.entries({
    'a transaction': { transactionalId: 'tx' },
    'a codec that not all clients have': { compression: 2 },
    'an idempotent producer': { producerId: Long.fromNumber(7) },
    'a record with a time of its own': { topicData: withTime },
  }))
    it(`is left to the client: ${what}`, () => expect(isPlain({ ...plain, ...extra })).to.equal(false));

  it('is one of the publisher otherwise', () => {
    expect(isPlain(plain)).to.equal(true);
    expect(
      isPlain({ ...plain, transactionalId: null, producerId: Long.fromNumber(-1), compression: 0 }),
    ).to.equal(true);
    expect(isPlain({ ...plain, producerId: -1, compression: GZIP })).to.equal(true);
  });
});

describe('checksum of a record batch', () => {
  const usualChecksum: (bytes: Buffer) => number = load('kafkajs/src/protocol/recordBatch/crc32C/crc32C.js');

  it('is that of the standard', () => {
    expect(crc32c(Buffer.from('123456789')) >>> 0).to.equal(0xe3069283);
  });

  it('is that of the client library, wherever the bytes are in memory', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(9), (array, start) => {
        const buffer = Buffer.from(array).subarray(start);
        expect(crc32c(buffer) >>> 0).to.equal(usualChecksum(buffer));
      }),
      { numRuns: 500 },
    );
  });
});
