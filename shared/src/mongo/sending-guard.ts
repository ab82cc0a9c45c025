import type { Clock } from '../ports/clock.js';
import type { SendingGuard } from '../ports/sending-guard.js';
import type { Database } from './connect.js';

/** Written by a dispatcher that holds sending, and renewed while it does. */
export interface SendingHold {
  readonly _id: 'sending_hold';
  /** By the clock of the database. */
  readonly until: Date;
}

/** How long an answer is used again, in milliseconds. */
const FRESH_MS = 1_000;

/** Reads the dispatchers' shared state: sending is held until a time that the holder moves forward. */
export function createSendingGuard({ db }: Pick<Database, 'db'>, clock: Clock): SendingGuard {
  let read: { readonly at: number; readonly until: Promise<number> } | null = null;
  const readUntil = async () => {
    const hold = await db.collection<SendingHold>('meta').findOne({ _id: 'sending_hold' });
    return hold === null ? 0 : hold.until.getTime();
  };
  return {
    async isHeld() {
      const now = clock.now().getTime();
      if (read === null || now - read.at > FRESH_MS) read = { at: now, until: readUntil() };
      try {
        return (await read.until) > now;
      } catch (error) {
        read = null;
        throw error;
      }
    },
  };
}
