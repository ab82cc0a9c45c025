/** The result of one run of a periodic task. */
export interface TaskRun {
  readonly task: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** Null if the run failed. */
  readonly result: {
    /** The number of items removed or sent. */
    readonly handled: number;
    /** Whether it had time for everything. */
    readonly isFinished: boolean;
  } | null;
  /** Settings that are exported as metrics, like the retention. */
  readonly settings: Readonly<Record<string, number>>;
}

/** Stores the last runs of tasks, so that a process that always runs can export them. */
export interface TaskRuns {
  record(run: TaskRun): Promise<void>;
}
