/** How long the event loop of a process was blocked at most, in milliseconds. */
export interface Blocks {
  /** Time in which nothing else could run, waiting for a processor included. */
  readonly wallMs: number;
  /** Processor time of the loop's thread in one turn. */
  readonly cpuMs: number;
}
