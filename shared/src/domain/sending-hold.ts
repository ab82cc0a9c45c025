/**
 * Why a dispatcher holds sending.
 *
 * - outage: its network seems to have failed.
 * - clock: the database's clock and its machine's differ, so that receivers would refuse the signatures.
 */
export const HOLD_CAUSES = ['outage', 'clock'] as const;
export type HoldCause = (typeof HOLD_CAUSES)[number];

/** At least one dispatcher holds sending. */
export interface SendingHold {
  readonly cause: HoldCause;
  /** Since when the first of them does; null if only dispatchers of an older version do. */
  readonly since: Date | null;
}
