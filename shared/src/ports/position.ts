/** How far a partition has been processed. */
export interface Position {
  /** Without prefix. */
  readonly topic: string;
  readonly partition: number;
  /** The next offset to read. */
  readonly offset: number;
}
