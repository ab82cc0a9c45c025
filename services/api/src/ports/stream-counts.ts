/** Counts the open streams of each credential over all processes. */
export interface StreamCounts {
  /**
   * Adds a stream of this process.
   *
   * @returns how many the credential has, this one included; without those of other processes while the database is away
   */
  add(credentialId: string): Promise<number>;
  remove(credentialId: string): void;
  /** Keeps the streams of this process counted. Call it every few seconds while there are any. */
  renew(): void;
  /** Stops counting the streams of this process. */
  close(): Promise<void>;
}
