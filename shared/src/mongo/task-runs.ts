import type { TaskRuns } from '../ports/task-runs.js';
import type { Collections } from './collections.js';

/** One document per task: its last run, and when it last succeeded with which result. */
export function createTaskRuns({ taskRuns: runs }: Collections): TaskRuns {
  return {
    async record({ task, handled, ...run }) {
      const update =
        handled === null
          ? { $set: run, $setOnInsert: { handled: null, lastSuccessAt: null } }
          : { $set: { ...run, handled, lastSuccessAt: run.endedAt } };
      await runs.updateOne({ _id: task }, update, { upsert: true });
    },
  };
}
