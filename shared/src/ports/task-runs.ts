/** The result of one run of a periodic task. */
export interface TaskRun {
  readonly task: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** The number of items removed or sent; null if the run failed. */
  readonly handled: number | null;
  /** Settings that are exported as metrics, like the retention. */
  readonly settings: Readonly<Record<string, number>>;
}

/** Stores the last runs of tasks, so that a process that always runs can export them. */
export interface TaskRuns {
  record(run: TaskRun): Promise<void>;
}
