import type { EachBatchPayload, IHeaders } from 'kafkajs';
import type { HeaderValue } from '../ports/queue.js';
import type { PartitionRecord } from './partition-reader.js';
import type { TopicNames } from './topic-names.js';

/** A message read from a topic. */
export interface ReadRecord {
  /** Without prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds; the broker's clock on topics with LogAppendTime. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** The first value of each header, as text. */
  readonly headers: Readonly<Record<string, string>>;
  /** All header values, byte for byte; null becomes empty. */
  readonly rawHeaders: Readonly<Record<string, HeaderValue>>;
}

export function readRecords(
  { topic, partition, messages }: EachBatchPayload['batch'],
  names: TopicNames,
): ReadRecord[] {
  const bare = names.bare(topic);
  return messages.map(({ offset, timestamp, key, value, headers }) =>
    readRecord(bare, {
      partition,
      offset: Number(offset),
      timestamp: Number(timestamp),
      key,
      value,
      headers: headers ?? {},
    }),
  );
}

/** @param topic without prefix */
export function readRecord(topic: string, record: PartitionRecord): ReadRecord {
  return new LazyRecord(topic, record);
}

/** A copy that does not keep the response of the record's fetch in memory, with the records of all partitions. */
export function copyRecord(record: ReadRecord): ReadRecord {
  const { topic, partition, offset, timestamp, key, value, rawHeaders } = record;
  const headers = Object.entries(rawHeaders).map(
    ([name, values]) => [name, [values].flat().map((one) => copyBytes(Buffer.from(one)))] as const,
  );
  return readRecord(topic, {
    partition,
    offset,
    timestamp,
    key: key && copyBytes(key),
    value: value && copyBytes(value),
    headers: Object.fromEntries(headers),
  });
}

/** Not in the pool of small buffers, of which each part keeps 8 KiB. */
function copyBytes(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}

/** Decodes its headers when they are needed: most of a backlog is read twice, and few messages are passed on. */
class LazyRecord implements ReadRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly timestamp: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly #encoded: IHeaders;
  #headers: Readonly<Record<string, string>> | null = null;

  constructor(topic: string, { partition, offset, timestamp, key, value, headers }: PartitionRecord) {
    this.topic = topic;
    this.partition = partition;
    this.offset = offset;
    this.timestamp = timestamp;
    this.key = key;
    this.value = value;
    this.#encoded = headers;
  }

  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= firstTexts(this.#encoded);
    return this.#headers;
  }

  get rawHeaders(): Readonly<Record<string, HeaderValue>> {
    return withoutNull(this.#encoded);
  }
}

const EMPTY = Buffer.alloc(0);

/** Contrary to the client's types, other producers' headers may be null, and the client cannot send null headers. */
function withoutNull(headers: IHeaders): Record<string, HeaderValue> {
  const entries = Object.entries(headers).map(([name, value]) => {
    return [name, Array.isArray(value) ? value.map((one) => one ?? EMPTY) : (value ?? EMPTY)] as const;
  });
  return Object.fromEntries(entries);
}

/** The first value of a header as text; undefined without one. */
export function firstText(value: IHeaders[string]): string | undefined {
  return (Array.isArray(value) ? value[0] : value)?.toString();
}

function firstTexts(headers: IHeaders): Record<string, string> {
  // Without a prototype, since other producers choose the names.
  const texts: Record<string, string> = Object.create(null);
  for (const name of Object.keys(headers)) texts[name] = firstText(headers[name]) ?? '';
  return texts;
}
