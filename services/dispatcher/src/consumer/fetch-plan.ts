import type { TopicPartition } from '../offsets/open-offsets.js';
import { pausesOf } from './fetch-pauses.js';
import { createFetchTurns } from './fetch-turns.js';

/** Topics that are fetched in turns; the others always. */
export interface TopicsInTurns {
  readonly topics: readonly string[];
  readonly restMs: number;
}

/** Decides what the next fetch leaves out, and whether it may wait for messages. */
export interface FetchPlan {
  /** The partitions that the fetch which begins now leaves out, by their limits and by turns. */
  pauses(broker: number): readonly TopicPartition[];
  /** Whether partitions of urgent topics are paused at a limit: they are resumed only between fetches. */
  isUrgent(): boolean;
  /** Messages of a topic were read. */
  received(topic: string): void;
  /** The consumer has joined its group. @param inTurns the partitions of the topics that are fetched in turns */
  assigned(inTurns: readonly TopicPartition[]): void;
}

interface PlanParts {
  readonly inTurns: TopicsInTurns;
  /** Returns the partitions at their limits. */
  readonly updatePauses: () => readonly TopicPartition[];
}

export function createFetchPlan({ inTurns: { topics, restMs }, updatePauses }: PlanParts): FetchPlan {
  const turns = createFetchTurns(restMs);
  let resting: readonly TopicPartition[] = [];
  let inTurnsAtLimit = 0;
  let isUrgent = false;
  return {
    pauses(broker) {
      const atLimit = updatePauses();
      const atLimitBefore = inTurnsAtLimit;
      inTurnsAtLimit = atLimit.filter(({ topic }) => topics.includes(topic)).length;
      // More of its messages may follow, and there is room for them.
      if (inTurnsAtLimit < atLimitBefore) turns.begin();
      turns.fetchBegins(broker);
      isUrgent = atLimit.length > inTurnsAtLimit;
      return pausesOf({ atLimit, resting, isResting: turns.isResting() });
    },
    isUrgent: () => isUrgent,
    received(topic) {
      if (topics.includes(topic)) turns.extend();
    },
    assigned(inTurns) {
      resting = inTurns;
      turns.restart();
    },
  };
}
