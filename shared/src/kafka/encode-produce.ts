import { gzipSync } from 'node:zlib';
import type { HeaderValue } from '../ports/queue.js';
import { ByteWriter, sizeText } from './byte-writer.js';
import { crc32c } from './crc32c.js';
import type { EncodedRecords } from './encoded-record.js';

/** A request to append records, as the client library passes it on. */
export interface ProduceRequest {
  readonly acks: number;
  readonly timeout: number;
  /** `GZIP`; absent or 0: none. */
  readonly compression?: number;
  readonly topicData: readonly {
    readonly topic: string;
    readonly partitions: readonly PartitionData[];
  }[];
}

interface PartitionData {
  readonly partition: number;
  readonly messages: readonly RecordData[];
}

interface RecordData {
  readonly key?: string | Buffer | null;
  readonly value?: string | Buffer | null;
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** A time of its own, which is not encoded here. */
  readonly timestamp?: string;
  /** Several records in place of one: their keys, values and headers. */
  readonly encoded?: EncodedRecords['encoded'];
}

const MAGIC = 2;
const NO_PRODUCER = -1;
const NO_TRANSACTION = -1;
const PLAIN = 0;
/** The only codec that all clients include. */
export const GZIP = 1;
/** The fastest level. It compresses a batch, whose records are alike, to a tenth; others take twice the time for little less. */
const GZIP_LEVEL = 1;
/** The start of a record without attributes, at the time of its batch. */
const NO_ATTRIBUTES_AT_ONCE = '\0\0';

/** Reused by all requests: each is written in one turn of the event loop, then copied. */
const request = new ByteWriter();
const record = new ByteWriter();

/**
 * Encodes the body of a produce request, versions 3 to 7, without transaction and idempotent producer:
 * https://kafka.apache.org/documentation/#messageformat
 *
 * @param now the time of all records, epoch milliseconds
 */
export function encodeProduce(
  { acks, timeout, compression = PLAIN, topicData }: ProduceRequest,
  now: number,
): Buffer {
  request.clear();
  request.int16(NO_TRANSACTION);
  request.int16(acks);
  request.int32(timeout);
  request.int32(topicData.length);
  for (const { topic, partitions } of topicData) {
    request.string(topic);
    request.int32(partitions.length);
    for (const { partition, messages } of partitions) {
      request.int32(partition);
      writeBatch(messages, { now, codec: compression });
    }
  }
  return Buffer.from(request.view());
}

function writeBatch(
  messages: readonly RecordData[],
  { now, codec }: { readonly now: number; readonly codec: number },
): void {
  const count = messages.reduce((sum, { encoded }) => sum + (encoded?.length ?? 1), 0);
  const sizeAt = request.length;
  request.int32(0);
  request.int64(0); // The offset of the first record, which the broker assigns.
  const lengthAt = request.length;
  request.int32(0);
  request.int32(0); // The epoch of the partition's leader.
  request.int8(MAGIC);
  const crcAt = request.length;
  request.int32(0);
  const bodyAt = request.length;
  request.int16(codec);
  request.int32(count - 1);
  request.int64(now);
  request.int64(now);
  request.int64(NO_PRODUCER);
  request.int16(0); // The producer's epoch.
  request.int32(0); // The sequence number of the first record.
  request.int32(count);
  const recordsAt = request.length;
  writeRecords(messages);
  if (codec === GZIP) request.replace(recordsAt, gzipSync(request.view(recordsAt), { level: GZIP_LEVEL }));
  request.setInt32(crcAt, crc32c(request.view(bodyAt)));
  request.setInt32(lengthAt, request.length - lengthAt - 4);
  request.setInt32(sizeAt, request.length - sizeAt - 4);
}

function writeRecords(messages: readonly RecordData[]): void {
  let offset = 0;
  for (const message of messages) {
    if (message.encoded === undefined) writeRecord(message, offset++);
    else for (const one of message.encoded) writeEncoded(one, offset++);
  }
}

function writeRecord({ key, value, headers = {} }: RecordData, offset: number): void {
  record.clear();
  record.int8(PLAIN);
  record.varint(0); // After the time of the batch.
  record.varint(offset);
  record.bytes(key ?? null);
  record.bytes(value ?? null);
  const names = Object.keys(headers);
  record.varint(names.reduce((sum, name) => sum + valuesOf(headers[name]).length, 0));
  for (const name of names) {
    for (const one of valuesOf(headers[name])) {
      record.bytes(name);
      record.bytes(one ?? null);
    }
  }
  request.varint(record.length);
  request.raw(record.view());
}

function writeEncoded(encoded: string, offset: number): void {
  const start = NO_ATTRIBUTES_AT_ONCE + sizeText(offset);
  request.latin1(sizeText(start.length + encoded.length) + start);
  request.latin1(encoded);
}

function valuesOf(values: HeaderValue | undefined): readonly (string | Buffer | undefined)[] {
  return Array.isArray(values) ? values : [values as string | Buffer | undefined];
}
