import type { Options } from './options.js';
import type { Watched } from './processes/meter.js';
import type { Servers } from './world/servers.js';

/** What every measurement stands on. */
export interface Bench {
  readonly options: Options;
  readonly servers: Servers;
  /** The servers' processes, as far as they are on this machine and visible. */
  readonly serverProcesses: readonly Watched[];
  /** Gives everything up. */
  readonly signal: AbortSignal;
  /** Receives lines for a person who waits. */
  readonly progress: (line: string) => void;
  /** For logs and what the processes write down. */
  readonly directory: string;
}

/** Seconds of a measurement that goes by time. */
export function secondsOf({ options }: Bench, usual: number): number {
  return options.seconds ?? Math.max(2, usual * options.scale);
}

/** How many of something to measure with. */
export function countOf({ options }: Bench, usual: number, least = 100): number {
  return Math.max(Math.min(least, usual), Math.round(usual * options.scale));
}

/** Was this row asked for? */
export function isWanted({ options }: Bench, label: string): boolean {
  return options.only === null || label.includes(options.only);
}
