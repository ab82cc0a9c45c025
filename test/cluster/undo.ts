/** What has to be undone at the end. */
export interface Undo {
  /** Adds a step, to be taken before those that were added earlier. */
  push(step: () => Promise<unknown>): void;
  /** Takes all steps, each even if others fail. Callers at the same time share one run. @throws Error with every failure */
  all(): Promise<void>;
}

export function createUndo(): Undo {
  const steps: (() => Promise<unknown>)[] = [];
  let running: Promise<void> | null = null;
  const takeAll = async () => {
    const failures: string[] = [];
    for (let step = steps.pop(); step !== undefined; step = steps.pop())
      await step().catch(({ message }: Error) => failures.push(message));
    running = null;
    if (failures.length > 0) throw new Error(`not everything was removed:\n${failures.join('\n')}`);
  };
  return {
    push: (step) => steps.push(step),
    all: () => {
      running ??= takeAll();
      return running;
    },
  };
}
