/** What a check of the stored history can find. */
export const DIFFERENCE_KINDS = [
  /** A delivery's summary is not what its attempts make of a fresh row. */
  'summary',
  /** A delivery's records cannot have come one after the other. */
  'history',
  /** A row that goes on has no due time, or one that has ended has. */
  'due',
  /** Work has been due for long. */
  'overdue',
  /** Things that belong together name different owners, or one of them is gone. */
  'owner',
  /** An endpoint's fields contradict each other. */
  'endpoint',
  /** The changes of an endpoint's failure streak do not lead to what is stored. */
  'streak',
  /** An endpoint was disabled by its failures without an audit entry of its own, or the other way round. */
  'disabling',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** One thing that is not as it must be. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** The delivery, endpoint or audit event. */
  readonly id: string;
  /** A sentence for the person who has to look. No secrets, no payloads. */
  readonly what: string;
}
