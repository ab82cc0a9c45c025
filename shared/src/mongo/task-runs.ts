import type { TaskRuns } from '../ports/task-runs.js';
import type { Collections } from './collections.js';

/** One document per task: its last run and its last success. */
export function createTaskRuns({ taskRuns: runs }: Collections): TaskRuns {
  return {
    async record({ task, ...run }) {
      const success = run.handled === null ? {} : { lastSuccessAt: run.endedAt };
      const fresh = run.handled === null ? { $setOnInsert: { lastSuccessAt: null } } : {};
      await runs.updateOne({ _id: task }, { $set: { ...run, ...success }, ...fresh }, { upsert: true });
    },
  };
}
