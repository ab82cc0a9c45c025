import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { TaskRuns } from '@postrider/shared/ports/task-runs';

/** A task that can say how much it removed or sent. */
export interface CountedTask {
  readonly name: string;
  readonly run: () => Promise<number>;
}

interface NotedParts {
  readonly runs: TaskRuns;
  readonly clock: Clock;
  readonly log: Log;
}

/** A task whose runs are noted, failed ones too. That a note cannot be made changes nothing for the task. */
export function recordRuns(
  { name, run }: CountedTask,
  settings: Readonly<Record<string, number>>,
  { runs, clock, log }: NotedParts,
): CountedTask {
  return {
    name,
    async run() {
      const startedAt = clock.now();
      const note = (handled: number | null) =>
        runs
          .note({ task: name, startedAt, endedAt: clock.now(), handled, settings })
          .catch((error: unknown) =>
            log.warn({ event: 'task.not_noted', task: name, err: error }, 'a run could not be noted'),
          );
      try {
        const handled = await run();
        await note(handled);
        return handled;
      } catch (error) {
        await note(null);
        throw error;
      }
    },
  };
}
