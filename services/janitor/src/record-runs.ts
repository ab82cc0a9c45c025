import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { TaskRuns } from '@postrider/shared/ports/task-runs';

/** A task that returns how many items it removed or sent. */
export interface CountedTask {
  readonly name: string;
  readonly run: () => Promise<number>;
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
      const record = (handled: number | null) =>
        runs
          .record({ task: name, startedAt, endedAt: clock.now(), handled, settings })
          .catch((error: unknown) =>
            log.warn({ event: 'task.not_noted', task: name, err: error }, 'a run could not be recorded'),
          );
      try {
        const handled = await run();
        await record(handled);
        return handled;
      } catch (error) {
        await record(null);
        throw error;
      }
    },
  };
}
