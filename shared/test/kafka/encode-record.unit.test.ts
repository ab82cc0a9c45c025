import { createRequire } from 'node:module';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeRecord } from '../../src/kafka/encode-record.js';

/** The client's own encoder, from a copy of the client that is not patched. */
function usualEncoder(): (record: object) => { readonly buffer: Buffer } {
  const require = createRequire(import.meta.url);
  const path = require.resolve('kafkajs/src/protocol/recordBatch/record/v0/index.js');
  const patched = require.cache[path];
  delete require.cache[path];
  const encode = require(path);
  if (patched === undefined) delete require.cache[path];
  else require.cache[path] = patched;
  return encode;
}

const usual = usualEncoder();
const text = fc.string({ unit: 'binary', maxLength: 200 });
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
const field = fc.oneof(text, bytes);
const RECORDS = fc.record({
  offsetDelta: fc.nat({ max: 2 ** 30 }),
  key: fc.oneof(field, fc.constant(null)),
  value: fc.oneof(field, fc.constant(null)),
  headers: fc.dictionary(text, fc.oneof(field, fc.array(field, { maxLength: 3 })), { maxKeys: 9 }),
});

describe('encoded record', () => {
  it('has the bytes of the client library', () => {
    fc.assert(
      fc.property(RECORDS, (record) => {
        expect(encodeRecord(record)).to.deep.equal(usual({ ...record, timestampDelta: 0 }).buffer);
      }),
      { numRuns: 500 },
    );
  });

  it('may be larger than everything before it', () => {
    const record = { key: 'a', value: Buffer.alloc(900_000, 'x'), headers: { long: 'é'.repeat(40_000) } };
    const encoded = encodeRecord(record);
    expect(encoded.equals(usual({ ...record, timestampDelta: 0 }).buffer)).to.equal(true);
    expect(encodeRecord({ key: 'b' })).to.deep.equal(usual({ key: 'b', timestampDelta: 0 }).buffer);
  });
});
