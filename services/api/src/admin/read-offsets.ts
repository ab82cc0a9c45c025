import type { PartitionReader, PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { ProblemsFound } from './errors.js';

/** For each partition the offsets from the first one to before the second one. */
export type Offsets = ReadonlyMap<number, { readonly from: number; readonly until: number }>;

interface ReadParts {
  readonly reader: Pick<PartitionReader, 'fetch'>;
  readonly monotonicMs: () => number;
}

const WAIT_MS = 1_000;
/** Without any message for this long, the rest cannot be read. */
const LONGEST_SILENCE_MS = 30_000;

export function countOf(offsets: Offsets): number {
  return [...offsets.values()].reduce((sum, { from, until }) => sum + until - from, 0);
}

/** Reads the messages with these offsets, in several parts. */
export async function* readOffsets(
  { reader, monotonicMs }: ReadParts,
  offsets: Offsets,
): AsyncGenerator<readonly PartitionRecord[]> {
  const positions = new Map([...offsets].map(([partition, { from }]) => [partition, from]));
  const untilOf = (partition: number) => offsets.get(partition)?.until ?? 0;
  for (let readMs = monotonicMs(); ; ) {
    const open = new Map([...positions].filter(([partition, next]) => next < untilOf(partition)));
    if (open.size === 0) return;
    const fetched = await reader.fetch(open, WAIT_MS).catch((cause: Error) => {
      throw new ProblemsFound(`Kafka could not be read: ${cause.message}; run the command again`, { cause });
    });
    const moved = [...fetched.positions].filter(([partition, next]) => next !== open.get(partition));
    for (const [partition, next] of moved) positions.set(partition, next);
    if (moved.length > 0) readMs = monotonicMs();
    else if (monotonicMs() - readMs > LONGEST_SILENCE_MS)
      throw new ProblemsFound(
        `Kafka returned no message of partition ${[...open.keys()].join(', ')} for 30 s: a transaction of its producer may be open`,
      );
    yield fetched.records.filter(({ partition, offset }) => offset < untilOf(partition));
  }
}
