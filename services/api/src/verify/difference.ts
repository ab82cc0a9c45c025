/** The kinds of inconsistencies in the stored history. */
const DIFFERENCE_KINDS = [
  /** A delivery's summary differs from the one computed from its attempts. */
  'summary',
  /** A delivery's records are not a possible sequence. */
  'history',
  /** A row cannot be used as it is stored. */
  'damaged',
  /** A delivery in progress has no due time, or a terminal one has. */
  'due',
  /** A delivery has been due for too long. */
  'overdue',
  /** Related rows have different owners, or one of them is missing. */
  'owner',
  /** An endpoint's fields contradict each other. */
  'endpoint',
  /** The changes of an endpoint's failure streak do not add up to the stored streak. */
  'streak',
  /** An endpoint was disabled by its failures without an audit entry, or the other way round. */
  'disabling',
] as const;
export type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** One inconsistency. */
export interface Difference {
  readonly kind: DifferenceKind;
  /** The delivery, endpoint or audit event. */
  readonly id: string;
  /** A description for the operator, without secrets or payloads. */
  readonly what: string;
}
