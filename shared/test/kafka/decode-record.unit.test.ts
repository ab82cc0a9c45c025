import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import type { IHeaders } from 'kafkajs';
import { type BatchContext, type DecodedRecord, decodeRecord } from '../../src/kafka/decode-record.js';
import { readRecord } from '../../src/kafka/read-record.js';
import { unpatched } from '../../src/testing/unpatched.js';

const load = createRequire(import.meta.url);
const Decoder = load('kafkajs/src/protocol/decoder.js');
const Encoder = load('kafkajs/src/protocol/encoder.js');

type Decode = (bytes: object, context: BatchContext) => DecodedRecord;
const usual = unpatched<Decode>('kafkajs/src/protocol/recordBatch/record/v0/decoder.js');

interface RecordParts {
  readonly attributes: number;
  readonly timestampDelta: number;
  readonly offsetDelta: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly (readonly [string, Buffer | null])[];
}

function encode({ attributes, timestampDelta, offsetDelta, key, value, headers }: RecordParts): Buffer {
  const encoder = new Encoder()
    .writeInt8(attributes)
    .writeVarLong(timestampDelta)
    .writeVarInt(offsetDelta)
    .writeVarIntBytes(key)
    .writeVarIntBytes(value)
    .writeVarInt(headers.length);
  for (const [name, one] of headers) encoder.writeVarIntString(name).writeVarIntBytes(one);
  return encoder.buffer;
}

const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const field = fc.oneof(bytes, fc.constant(null));
const name = fc
  .oneof(fc.constantFrom('ce_id', 'ce_type', 'é'), fc.string({ unit: 'binary', maxLength: 20 }))
  .filter((one) => !(one in {}));
const RECORDS = fc.record({
  attributes: fc.integer({ min: -128, max: 127 }),
  timestampDelta: fc.integer({ min: -(2 ** 40), max: 2 ** 40 }),
  offsetDelta: fc.nat(),
  key: field,
  value: field,
  headers: fc.array(fc.tuple(name, field), { maxLength: 9 }),
});
const CONTEXTS: fc.Arbitrary<BatchContext> = fc.record({
  firstOffset: fc.bigInt({ min: 0n, max: 2n ** 52n }).map(String),
  firstTimestamp: fc.bigInt({ min: -1n, max: 2n ** 50n }).map(String),
  maxTimestamp: fc.bigInt({ min: -1n, max: 2n ** 50n }).map(String),
  timestampType: fc.constantFrom(0, 1),
  isControlBatch: fc.boolean(),
  magicByte: fc.constant(2),
});
const CONTEXT: BatchContext = { firstOffset: '7', firstTimestamp: '9', maxTimestamp: '9', timestampType: 0 };
const RECORD: RecordParts = {
  attributes: 0,
  timestampDelta: 0,
  offsetDelta: 0,
  key: Buffer.from('key'),
  value: Buffer.from('value'),
  headers: [['ce_id', Buffer.from('1')]],
};

describe('decoded record', () => {
  it('is that of the client library', () => {
    fc.assert(
      fc.property(RECORDS, CONTEXTS, (record, context) => {
        const encoded = encode(record);
        expect(decodeRecord(encoded, context)).to.deep.equal(usual(new Decoder(encoded), context));
      }),
      { numRuns: 1_000 },
    );
  });

  // Regression: the client adds the value to the function of that name.
  it('has headers that are named like parts of every object', () => {
    const value = Buffer.from('1');
    const encoded = encode({ ...RECORD, headers: [['toString', value]] });
    expect(decodeRecord(encoded, CONTEXT)?.headers).to.deep.equal({ toString: value });
  });

  // Regression: the client makes a list of the prototype and the value, which could not be quarantined.
  it('has headers that are named like the prototype, and can be passed on', () => {
    const [one, other] = [Buffer.from('1'), Buffer.from('2')];
    const record = (...values: Buffer[]) =>
      decodeRecord(encode({ ...RECORD, headers: values.map((value) => ['__proto__', value]) }), CONTEXT)!;
    expect(Object.entries(record(one).headers)).to.deep.equal([['__proto__', one]]);
    expect(Object.entries(record(one, other).headers)).to.deep.equal([['__proto__', [one, other]]]);
    const { key, value, headers } = record(one, other);
    const read = readRecord('topic', {
      partition: 0,
      offset: 0,
      timestamp: 0,
      key,
      value,
      headers: headers as IHeaders,
    });
    expect(Object.entries(read.rawHeaders)).to.deep.equal([['__proto__', [one, other]]]);
    expect(Object.entries(read.headers)).to.deep.equal([['__proto__', '1']]);
  });

  it('is left to the client library with a time that a number cannot express', () => {
    expect(decodeRecord(encode({ ...RECORD, timestampDelta: 2 ** 52 }), CONTEXT)).to.equal(null);
  });

  it('is left to the client library if a part is not within the record', () => {
    const encoded = encode(RECORD);
    for (let length = 1; length < encoded.length; length += 1)
      expect(decodeRecord(encoded.subarray(0, length), CONTEXT), `${length} bytes`).to.equal(null);
  });
});
