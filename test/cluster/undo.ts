import { once } from '@postrider/shared/domain/once';

/** What has to be undone at the end. */
export interface Undo {
  /** Adds a step, to be taken before those that were added earlier. */
  push(step: () => Promise<unknown>): void;
  /** Takes the step after the work, also if that fails; earlier, if everything is undone meanwhile. */
  around<T>(work: () => Promise<T>, step: () => Promise<unknown>): Promise<T>;
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
    around: async (work, step) => {
      const taken = once(step);
      steps.push(taken);
      try {
        return await work();
      } finally {
        const index = steps.indexOf(taken);
        if (index >= 0) steps.splice(index, 1);
        await taken();
      }
    },
    all: () => {
      running ??= takeAll();
      return running;
    },
  };
}
