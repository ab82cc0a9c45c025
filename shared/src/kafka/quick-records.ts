import { createRequire } from 'node:module';
import { UnknownInternals } from '../runtime/client-internals.js';
import { type BatchRecord, encodeRecord } from './encode-record.js';

const RECORD = { module: 'kafkajs/src/protocol/recordBatch/record/v0/index.js', methods: {} };
/** The client's only user of the module. It keeps what the module exports when it is loaded, at the first request. */
const USER = 'kafkajs/src/protocol/requests/produce/v3/request.js';

interface Record extends BatchRecord {
  readonly timestampDelta?: number;
}

/** What the client expects of an encoded record. */
interface Encoded {
  readonly buf: Buffer;
  readonly buffer: Buffer;
}

type Encode = (record: Record) => Encoded;

/**
 * Replaces the client's encoder of records, which makes a buffer of 512 bytes for each record and for each of its headers.
 *
 * @throws UnknownInternals if the client is not as expected
 */
function patchRecords(): void {
  const load = createRequire(import.meta.url);
  const encode: Encode = load(RECORD.module);
  const loaded = load.cache[load.resolve(RECORD.module)];
  if (typeof encode !== 'function' || loaded === undefined)
    throw new UnknownInternals(RECORD, 'the encoder of records');
  if (load.cache[load.resolve(USER)] !== undefined)
    throw new UnknownInternals(RECORD, 'a module that has not loaded it yet');
  loaded.exports = quickEncoder(encode);
}

/** @param usual for records with a time of their own */
export function quickEncoder(usual: Encode): Encode {
  return (record) => {
    if (record.timestampDelta !== 0) return usual(record);
    const buffer = encodeRecord(record);
    return { buf: buffer, buffer };
  };
}

patchRecords();
