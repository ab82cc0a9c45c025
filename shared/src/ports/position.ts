/** How far a partition is done. */
export interface Position {
  /** Without prefix. */
  readonly topic: string;
  readonly partition: number;
  /** The next offset to read. */
  readonly offset: number;
}
