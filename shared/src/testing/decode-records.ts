import { createRequire } from 'node:module';
import { encodeProduce, GZIP } from '../kafka/encode-produce.js';
import type { EncodedRecords } from '../kafka/encoded-record.js';
import { unpatched } from './unpatched.js';

/** A record as a consumer gets it. */
export interface DecodedRecord {
  readonly offset: string;
  readonly key: Buffer;
  readonly value: Buffer;
  readonly headers: Readonly<Record<string, Buffer>>;
}

const TOPIC = 'decoded';
/** Bytes before the batch: transaction, acks, timeout, count of topics, topic, count of partitions, partition, size. */
const BEFORE_BATCH = 2 + 2 + 4 + 4 + (2 + TOPIC.length) + 4 + 4 + 4;

const load = createRequire(import.meta.url);
const Decoder = load('kafkajs/src/protocol/decoder.js');
type DecodeBatch = (batch: object) => Promise<{ readonly records: readonly DecodedRecord[] }>;
const decodeBatch = unpatched<DecodeBatch>('kafkajs/src/protocol/recordBatch/v0/decoder.js', [
  'kafkajs/src/protocol/recordBatch/record/v0/decoder.js',
]);

/** Encodes records for a partition as they are published, and decodes the batch with the client library. */
export async function decodeRecords(records: readonly EncodedRecords[]): Promise<readonly DecodedRecord[]> {
  const messages = records.map((one) => ({ ...one, value: null }));
  const topicData = [{ topic: TOPIC, partitions: [{ partition: 0, messages }] }];
  const request = encodeProduce({ acks: -1, timeout: 0, compression: GZIP, topicData }, 0);
  return (await decodeBatch(new Decoder(request.subarray(BEFORE_BATCH)))).records;
}
