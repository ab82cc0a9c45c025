/** Steps right before which a test can make the process kill itself. */
export const FAILPOINTS = [
  'outbox.publish',
  'fanout.hand_over',
  'fanout.enqueue',
  'fanout.progress',
  'attempt.settle',
  'attempt.write',
  'attempt.record',
  'delivery.enqueue',
  'delivery.dead_letter',
  'offset.commit',
  'replay.count',
  'replay.batch',
  'replay.end',
] as const;
export type Failpoint = (typeof FAILPOINTS)[number];

/** Tasks that a test can switch off with the spec `name:off`. */
export const SWITCHES = ['rows.reconcile'] as const;
export type Switch = (typeof SWITCHES)[number];

export function isSwitchedOff(specs: readonly string[], name: Switch): boolean {
  return specs.includes(`${name}:off`);
}

/** Wraps a step so that a test can kill the process right before it. Returns the step itself if it has no spec. */
export type CrashBefore = <Args extends unknown[], Result>(
  name: Failpoint,
  step: (...args: Args) => Result,
) => (...args: Args) => Result;

/**
 * @param specs `name` or `name:n`: the process kills itself with SIGKILL before the n-th call, the first by default. Specs
 * of switches are ignored.
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
