/** A previous secret that the database keeps, because it rejects the change. */
export interface RejectedErasure {
  readonly endpointId: string;
  readonly reason: string;
}

/** What a search for previous secrets whose grace period has ended has done. */
export interface ErasedSecrets {
  readonly erased: number;
  readonly rejected: readonly RejectedErasure[];
}
