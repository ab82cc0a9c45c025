import type { Clock } from '@postrider/shared/ports/clock';
import type { FindSendingHolds } from '@postrider/shared/ports/outage-guard';

/** How long an answer is reused, in milliseconds, because the batches of many jobs ask. */
const FRESH_MS = 1_000;

/** Finds whether a dispatcher holds sending, and remembers it for a second. */
export function createSendingHolds(find: FindSendingHolds, clock: Clock): FindSendingHolds {
  let asked: { readonly at: number; readonly answer: ReturnType<FindSendingHolds> } | null = null;
  return async () => {
    const now = clock.now().getTime();
    // The clock may have been set back.
    if (asked === null || Math.abs(now - asked.at) > FRESH_MS) asked = { at: now, answer: find() };
    try {
      return await asked.answer;
    } catch (error) {
      asked = null;
      throw error;
    }
  };
}
