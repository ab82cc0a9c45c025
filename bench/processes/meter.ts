import { readUsage, type Usage } from '#dev/processes/proc-files';

/** A process to measure. Those with the same name are added up. */
export interface Watched {
  readonly name: string;
  readonly pid: number;
  /** Started for this measurement, so that the peak memory recorded by the kernel belongs only to it. */
  readonly fresh: boolean;
}

/** The usage of all processes of one name between start and stop; null if the system does not provide it. */
export interface Consumption {
  readonly name: string;
  readonly cpuSeconds: number | null;
  /** Resident memory, the sum of the peaks of several processes. */
  readonly peakBytes: number | null;
}

interface Track extends Watched {
  readonly first: Usage | null;
  last: Usage | null;
  peakBytes: number;
}

const SAMPLE_EVERY_MS = 250;

export type Meter = ReturnType<typeof startMeter>;

/** Starts measuring. A process that ends meanwhile counts with its latest values. */
export function startMeter(processes: readonly Watched[], read = readUsage) {
  const tracks: Track[] = [];
  const sample = (track: Track) => {
    const usage = read(track.pid);
    if (usage === null) return;
    track.last = usage;
    const { resident, peak } = usage.memory;
    track.peakBytes = Math.max(track.peakBytes, track.fresh ? peak : resident);
  };
  const watch = (process: Watched) => {
    const first = read(process.pid);
    const track: Track = { ...process, first, last: first, peakBytes: 0 };
    sample(track);
    tracks.push(track);
  };
  for (const process of processes) watch(process);
  const timer = setInterval(() => tracks.forEach(sample), SAMPLE_EVERY_MS).unref();
  return {
    /** Adds a process from now on. */
    watch,
    stop(): readonly Consumption[] {
      clearInterval(timer);
      tracks.forEach(sample);
      return [...Map.groupBy(tracks, ({ name }) => name)].map(([name, group]) => consumptionOf(name, group));
    },
  };
}

function consumptionOf(name: string, tracks: readonly Track[]): Consumption {
  let cpuSeconds = 0;
  let peakBytes = 0;
  for (const { first, last, peakBytes: peak } of tracks) {
    if (first === null || last === null) return { name, cpuSeconds: null, peakBytes: null };
    cpuSeconds += last.cpuSeconds - first.cpuSeconds;
    peakBytes += peak;
  }
  return { name, cpuSeconds, peakBytes };
}
