interface Repetition<Result> {
  readonly task: () => Promise<Result>;
  /**
   * The pause before the next run, in milliseconds; null ends the repetition.
   *
   * @param result of the last run; undefined before the first run and after one that failed
   */
  readonly pauseMs: (result?: Result) => number | null;
  readonly onError: (error: unknown) => void;
}

/** A task that runs again and again. */
export interface Repeated {
  /** Starts no more runs. Resolves when none is in progress. */
  stop(): Promise<void>;
}

/** Runs a task again and again, one run at a time, with a pause before each. The process does not keep running for a pause. */
export function repeat<Result>({ task, pauseMs, onError }: Repetition<Result>): Repeated {
  let running: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;
  const run = () => {
    running = task().then(schedule, (error: unknown) => {
      onError(error);
      schedule();
    });
  };
  const schedule = (result?: Result) => {
    const ms = isStopped ? null : pauseMs(result);
    if (ms !== null) timer = setTimeout(run, ms).unref();
  };
  schedule();
  return {
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
      return running;
    },
  };
}
