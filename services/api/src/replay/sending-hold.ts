import type { Clock } from '@postrider/shared/ports/clock';
import type { IsSendingHeld } from '@postrider/shared/ports/outage-guard';

/** Whether a dispatcher holds sending. */
export interface SendingHold {
  isActive(): Promise<boolean>;
}

/** How long an answer is reused, in milliseconds, because the batches of many jobs ask. */
const FRESH_MS = 1_000;

export function createSendingHold(isSendingHeld: IsSendingHeld, clock: Clock): SendingHold {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | null = null;
  return {
    async isActive() {
      const now = clock.now().getTime();
      // The clock may have been set back.
      if (asked === null || Math.abs(now - asked.at) > FRESH_MS) asked = { at: now, answer: isSendingHeld() };
      try {
        return await asked.answer;
      } catch (error) {
        asked = null;
        throw error;
      }
    },
  };
}
