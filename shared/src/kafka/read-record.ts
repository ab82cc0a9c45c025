import type { EachBatchPayload, IHeaders } from 'kafkajs';
import type { TopicNames } from './topic-names.js';

/** A message as it was read from a topic. */
export interface ReadRecord {
  /** Without prefix. */
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** Milliseconds; the broker's clock on topics with LogAppendTime. */
  readonly timestamp: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, string>>;
}

export function readRecords(
  { topic, partition, messages }: EachBatchPayload['batch'],
  names: TopicNames,
): ReadRecord[] {
  const bare = names.bare(topic);
  return messages.map(({ offset, timestamp, key, value, headers }) => ({
    topic: bare,
    partition,
    offset: Number(offset),
    timestamp: Number(timestamp),
    key,
    value,
    headers: textHeaders(headers),
  }));
}

function textHeaders(headers: IHeaders | undefined): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers ?? {})) {
    const first = Array.isArray(value) ? value[0] : value;
    if (first !== undefined) texts[name] = first.toString();
  }
  return texts;
}
