/** The longest blocks of a process's event loop, in milliseconds. */
export interface Blocks {
  /** Time in which nothing else could run, including waits for a processor. */
  readonly wallMs: number;
  /** Processor time of the loop's thread in one turn. */
  readonly cpuMs: number;
}
