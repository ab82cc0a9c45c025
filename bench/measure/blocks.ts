/** The longest blocks of a process's event loop, in milliseconds. */
export interface Blocks {
  /** Time in which nothing else could run, including waits for a processor. */
  readonly wallMs: number;
  /** The same without waits for a processor; null where the system does not report them. */
  readonly ownMs: number | null;
}
