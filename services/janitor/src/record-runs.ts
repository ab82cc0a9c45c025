import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { TaskRuns } from '@postrider/shared/ports/task-runs';

export interface TaskResult {
  /** The number of items removed or sent. */
  readonly handled: number;
  /** Whether it had time for everything. */
  readonly isFinished: boolean;
}

export interface CountedTask {
  readonly name: string;
  readonly run: () => Promise<TaskResult>;
}

interface RecordRunsParts {
  readonly runs: TaskRuns;
  readonly clock: Clock;
  readonly log: Log;
}

/** Stores a record of each run of a task, failed ones included. A failure to store it does not fail the task. */
export function recordRuns(
  { name, run }: CountedTask,
  settings: Readonly<Record<string, number>>,
  { runs, clock, log }: RecordRunsParts,
): CountedTask {
  return {
    name,
    async run() {
      const startedAt = clock.now();
      const record = (result: TaskResult | null) =>
        runs
          .record({ task: name, startedAt, endedAt: clock.now(), result, settings })
          .catch((error: unknown) =>
            log.warn({ event: 'task.not_noted', task: name, err: error }, 'a run could not be recorded'),
          );
      try {
        const result = await run();
        await record(result);
        return result;
      } catch (error) {
        await record(null);
        throw error;
      }
    },
  };
}
