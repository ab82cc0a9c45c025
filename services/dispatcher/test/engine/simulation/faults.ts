export const OPERATIONS = ['read', 'settle', 'record', 'moveDueTimes', 'enqueue', 'backlog'] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Fault {
  readonly operation: Operation;
  /** The number of consecutive calls that fail. */
  readonly times: number;
  /** Whether a call fails before its effect, or only its response is lost. */
  readonly when: 'before' | 'after';
}

class Broken extends Error {}

export const isBroken = (error: unknown): boolean => error instanceof Broken;

/** The current faults, common to all processes. */
export function brokenThings() {
  const broken = new Map<Operation, { left: number; when: Fault['when'] }>();
  const fails = (operation: Operation, when: Fault['when']) => {
    const fault = broken.get(operation);
    if (fault === undefined || fault.when !== when || fault.left === 0) return;
    fault.left -= 1;
    throw new Broken(operation);
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
 * Wraps the calls of a process to other systems. A call has a delay before and after its effect, where faults happen. The
 * calls of a killed process get no response, and have no effect unless it happened already.
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
