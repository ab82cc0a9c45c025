/** Counts the open streams of each credential, at all processes together. */
export interface OpenStreams {
  /**
   * Adds a stream of this process.
   *
   * @returns how many the credential has with it; without those of other processes while the database is away
   */
  add(credentialId: string): Promise<number>;
  remove(credentialId: string): void;
  /** Keeps the streams of this process counted. To be called every few seconds while there are any. */
  renew(): void;
  /** Ends the counting of the streams of this process. */
  close(): Promise<void>;
}
