// Before the client's decoder of batches is loaded, which keeps the decoder of records that it finds.
import './quick-records.js';
import { type ClientInternals, loadInternals, replaceExported } from '../runtime/client-internals.js';

const DECODE_MESSAGES = { module: 'kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js', methods: {} };
const USERS = ['v4', 'v5', 'v7', 'v8', 'v11'].map(
  (version) => `kafkajs/src/protocol/requests/fetch/${version}/response.js`,
);
const DECODE_BATCH: ClientInternals = {
  module: 'kafkajs/src/protocol/recordBatch/v0/decoder.js',
  methods: {},
};
const DECODER: ClientInternals = {
  module: 'kafkajs/src/protocol/decoder.js',
  methods: { canReadBytes: ['buffer', 'offset'], readBytes: [], readInt32: ['offset'] },
};

/** The client's reader of bytes. */
interface Bytes {
  readonly buffer: Buffer;
  readonly offset: number;
  canReadBytes(length: number): boolean;
  readBytes(length: number): Buffer;
  readInt32(): number;
}

type DecodeMessages = (bytes: Bytes) => Promise<readonly unknown[]>;
type DecodeBatch = (bytes: Bytes) => Promise<{ readonly records: readonly unknown[] }>;

const SIZE_BYTES = 4;
/** Where a batch has the version of its format. */
const MAGIC_OFFSET = 16;
const MAGIC = 2;
/** The client reads a batch if at least this many bytes are left. */
const MIN_BATCH_BYTES = 49;
const PARTIAL = 'KafkaJSPartialMessageError';

const ClientDecoder = loadInternals(DECODER) as new (buffer: Buffer) => Bytes;
const decodeBatch = loadInternals(DECODE_BATCH) as DecodeBatch;

/**
 * Decodes batches of any size. The client passes all records of a batch as arguments of one call, of which the stack has room
 * for about 125,000: a larger batch ended every process that read it.
 *
 * @throws UnknownInternals if the client is not as expected
 */
replaceExported<DecodeMessages>(DECODE_MESSAGES, USERS, (usual) => async (bytes) => {
  const { buffer, offset } = bytes;
  if (buffer[offset + SIZE_BYTES + MAGIC_OFFSET] !== MAGIC) return usual(bytes);
  const size = buffer.readInt32BE(offset);
  if (size <= MAGIC_OFFSET || !bytes.canReadBytes(SIZE_BYTES + size)) return usual(bytes);
  bytes.readInt32();
  return decodeBatches(new ClientDecoder(bytes.readBytes(size)));
});

async function decodeBatches(bytes: Bytes): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  while (bytes.canReadBytes(MIN_BATCH_BYTES)) {
    try {
      const { records } = await decodeBatch(bytes);
      for (const record of records) all.push(record);
    } catch (error) {
      // The broker ends a response at the maximum of bytes, within a batch.
      if (error instanceof Error && error.name === PARTIAL) break;
      throw error;
    }
  }
  return all;
}
