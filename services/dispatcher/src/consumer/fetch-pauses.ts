import type { TopicPartition } from '../offsets/open-offsets.js';

interface FetchPauses {
  /** The partitions that have reached a limit. */
  readonly atLimit: readonly TopicPartition[];
  /** The partitions of the topics that are fetched in turns. */
  readonly resting: readonly TopicPartition[];
  readonly isResting: boolean;
}

/**
 * Decides which partitions the next fetch leaves out. Returns `resting` itself while no partition is at its limit, because
 * `apply` skips an array that it has applied.
 */
export function pausesOf({ atLimit, resting, isResting }: FetchPauses): readonly TopicPartition[] {
  if (!isResting) return atLimit;
  return atLimit.length === 0 ? resting : [...atLimit, ...resting];
}
