import type { Options } from './options.js';
import type { Watched } from './processes/meter.js';
import type { Servers } from './servers.js';

/** The context of a bench run. */
export interface Context {
  readonly options: Options;
  readonly servers: Servers;
  /** The processes of broker and database, if they run on this machine. */
  readonly serverProcesses: readonly Watched[];
  /** Aborts the whole run. */
  readonly signal: AbortSignal;
  /** Prints a progress line for the person at the terminal. */
  readonly progress: (line: string) => void;
  /** For logs and temporary files. */
  readonly directory: string;
}

/** The duration of a timed measurement, shortened according to the options. */
export function secondsOf({ options }: Context, usual: number): number {
  return options.seconds ?? Math.max(2, usual * options.scale);
}

/** The size of a counted measurement, shortened according to the options. */
export function countOf({ options }: Context, usual: number): number {
  return Math.max(Math.min(100, usual), Math.round(usual * options.scale));
}
