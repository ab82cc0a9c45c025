import { replaceExported } from '../runtime/client-internals.js';
import { type BatchContext, type DecodedRecord, decodeRecord } from './decode-record.js';

const DECODER = { module: 'kafkajs/src/protocol/recordBatch/record/v0/decoder.js', methods: {} };
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
replaceExported<Decode>(DECODER, [USER], (usual) => (bytes, context) => {
  const decoded = bytes.offset === 0 ? decodeRecord(bytes.buffer, context) : null;
  return decoded ?? usual(bytes, context);
});
