export const OPERATIONS = ['read', 'settle', 'postpone', 'enqueue', 'backlog'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Fault {
  readonly operation: Operation;
  /** So many calls in a row fail. */
  readonly times: number;
  /** Fails before it takes effect, or its answer is lost after. */
  readonly when: 'before' | 'after';
}

/** What is broken at the moment, for every process alike. */
export function brokenThings() {
  const broken = new Map<Operation, { left: number; when: Fault['when'] }>();
  const fails = (operation: Operation, when: Fault['when']) => {
    const fault = broken.get(operation);
    if (fault === undefined || fault.when !== when || fault.left === 0) return;
    fault.left -= 1;
    throw new Error(`${operation} is broken`);
  };
  return {
    break({ operation, times, when }: Fault) {
      broken.set(operation, { left: times, when });
    },
    repairAll: () => broken.clear(),
    fails,
  };
}

export type BrokenThings = ReturnType<typeof brokenThings>;

/**
 * Wraps what a process asks of others. A call takes a moment before and after its effect; faults strike there. A
 * process that was killed gets no answers any more, and what it had not sent off has no effect.
 */
export function connection(broken: BrokenThings, isAlive: () => boolean) {
  const moment = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    if (!isAlive()) await new Promise(() => {});
  };
  return <Args extends unknown[], Result>(operation: Operation, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      await moment();
      broken.fails(operation, 'before');
      const result = await call(...args);
      await moment();
      broken.fails(operation, 'after');
      return result;
    };
}
