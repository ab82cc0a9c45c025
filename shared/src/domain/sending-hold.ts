/** At least one dispatcher holds sending because its network fails. */
export interface SendingHold {
  /** Since when the first of them does; null if only dispatchers of an older version do. */
  readonly since: Date | null;
}
