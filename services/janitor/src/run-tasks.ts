import type { Log } from '@postrider/shared/ports/log';

export interface Task {
  readonly name: string;
  readonly run: () => Promise<unknown>;
}

/** Runs tasks concurrently. A failing task does not stop the others. @returns the names of the failed tasks */
export async function runTasks(tasks: readonly Task[], log: Log): Promise<readonly string[]> {
  const results = await Promise.allSettled(tasks.map(({ run }) => run()));
  return results.flatMap((result, index) => {
    const name = tasks[index]?.name ?? '';
    if (result.status === 'fulfilled') return [];
    log.error(
      { event: 'task.failed', task: name, err: result.reason },
      `${name} failed: the other tasks are not affected and the next run tries again`,
    );
    return [name];
  });
}
