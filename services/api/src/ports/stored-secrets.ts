/** Stored results of idempotency keys that contain a signing secret. */
export interface StoredSecrets {
  /**
   * Removes those of an endpoint that is about to be deleted if they are too many for the transaction of its deletion.
   *
   * @returns false if there was not enough time for all of them
   */
  removeMany(endpointId: string): Promise<boolean>;
}
