/** Places where a test can have a process killed: always right before the named step. */
export const FAILPOINTS = [
  'outbox.publish',
  'fanout.enqueue',
  'attempt.settle',
  'delivery.enqueue',
  'delivery.dead_letter',
  'offset.commit',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** Parts of a process that a test can have switched off, as `name:off`: what they would mend stays as it is. */
export const SWITCHES = ['rows.reconcile'] as const;
export type Switch = (typeof SWITCHES)[number];

export function isSwitchedOff(specs: readonly string[], name: Switch): boolean {
  return specs.includes(`${name}:off`);
}

/** Wraps a step so that a test can kill the process right before it. Without that spec the step stays as it is. */
export type CrashBefore = <Args extends unknown[], Result>(
  name: Failpoint,
  step: (...args: Args) => Result,
) => (...args: Args) => Result;

/**
 * @param specs `name` or `name:n`: the process kills itself before the n-th time, the first by default. Nothing gets
 * a chance to clean up, as with kill -9. Wishes for a switch are not meant for steps.
 */
export function createFailpoints(specs: readonly string[]): CrashBefore {
  const left = new Map(specs.map((spec) => [spec.split(':')[0], Number(spec.split(':')[1] ?? 1)]));
  return (name, step) => {
    let times = left.get(name);
    if (times === undefined) return step;
    return (...args) => {
      if (times !== undefined) times -= 1;
      if (times === 0) process.kill(process.pid, 'SIGKILL');
      return step(...args);
    };
  };
}
