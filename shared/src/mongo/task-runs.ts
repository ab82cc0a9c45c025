import type { UpdateFilter } from 'mongodb';
import type { TaskRun, TaskRuns } from '../ports/task-runs.js';
import type { Collections, TaskRunDocument } from './collections.js';

/** One document per task: its last run, when it last succeeded with which result, and since when its runs had too little time. */
export function createTaskRuns({ taskRuns: runs }: Collections): TaskRuns {
  return {
    async record({ task, result, ...run }) {
      await runs.updateOne({ _id: task }, updateOf(run, result), { upsert: true });
    },
  };
}

function updateOf(
  run: Omit<TaskRun, 'task' | 'result'>,
  result: TaskRun['result'],
): UpdateFilter<TaskRunDocument> {
  if (result === null) return { $set: run, $setOnInsert: { handled: null, lastSuccessAt: null } };
  const { handled, isFinished } = result;
  const $set = { ...run, handled, lastSuccessAt: run.endedAt };
  return isFinished
    ? { $set, $unset: { unfinishedSince: 1 } }
    : { $set, $min: { unfinishedSince: run.startedAt } };
}
