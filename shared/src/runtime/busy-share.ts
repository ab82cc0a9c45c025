/** Minimum duration of a measurement, in milliseconds. */
const MEASURE_MS = 100;

interface Utilization {
  readonly idle: number;
  readonly active: number;
  readonly utilization: number;
}

interface BusyShareParts {
  readonly monotonicMs: () => number;
  /** The use of the event loop since its start, or between two calls. */
  readonly utilization: (current?: Utilization, before?: Utilization) => Utilization;
}

/** Returns the share of the last tenth of a second, or of the time since the last call, in which the event loop was busy. */
export function createBusyShare({ monotonicMs, utilization }: BusyShareParts): () => number {
  let started = monotonicMs();
  let before = utilization();
  let share = 0;
  return () => {
    const time = monotonicMs();
    if (time - started < MEASURE_MS) return share;
    const current = utilization();
    share = utilization(current, before).utilization;
    before = current;
    started = time;
    return share;
  };
}

/** This process's busy share: 0 to 1. Waiting for a processor counts as busy. */
export const busyShare = createBusyShare({
  monotonicMs: () => performance.now(),
  utilization: (current, before) => performance.eventLoopUtilization(current, before),
});
