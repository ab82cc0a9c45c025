import { createRequire } from 'node:module';
import { UnknownInternals } from '../runtime/client-internals.js';
import { type BatchContext, type DecodedRecord, decodeRecord } from './decode-record.js';

const DECODER = { module: 'kafkajs/src/protocol/recordBatch/record/v0/decoder.js', methods: {} };
/** The module that uses it. It keeps the function that is exported when it is loaded, at the first fetch. */
const USER = 'kafkajs/src/protocol/recordBatch/v0/decoder.js';

/** The client's reader of bytes; of a record, it has exactly its bytes. */
interface Bytes {
  readonly buffer: Buffer;
  readonly offset: number;
}

type Decode = (bytes: Bytes, context: BatchContext) => DecodedRecord;

/**
 * Replaces the client's decoding of records, which copies all headers before it once more for each header, and computes offsets and
 * times with objects of 64 bits.
 *
 * @throws UnknownInternals if the client is not as expected
 */
function patchRecords(): void {
  const load = createRequire(import.meta.url);
  const usual: Decode = load(DECODER.module);
  const loaded = load.cache[load.resolve(DECODER.module)];
  if (typeof usual !== 'function' || loaded === undefined) throw new UnknownInternals(DECODER, 'the decoder');
  if (load.cache[load.resolve(USER)] !== undefined)
    throw new UnknownInternals(DECODER, 'a module that has not loaded it yet');
  const decode: Decode = (bytes, context) => {
    const decoded = bytes.offset === 0 ? decodeRecord(bytes.buffer, context) : null;
    return decoded ?? usual(bytes, context);
  };
  loaded.exports = decode;
}

patchRecords();
