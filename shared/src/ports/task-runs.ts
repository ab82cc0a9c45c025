/** How one run of a task that runs now and then came out. */
export interface TaskRun {
  readonly task: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  /** What it removed or sent; null when it failed. */
  readonly handled: number | null;
  /** Settings that those who watch need to know, like how long things are kept. */
  readonly settings: Readonly<Record<string, number>>;
}

/** Notes runs, so that somebody who is always there can tell of them. */
export interface TaskRuns {
  note(run: TaskRun): Promise<void>;
}
