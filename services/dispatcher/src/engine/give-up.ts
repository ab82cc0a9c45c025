import { dueAgain } from '@postrider/shared/domain/retry-policy';
import type { Clock } from '@postrider/shared/ports/clock';
import type { SettlementStore } from '@postrider/shared/ports/settlement';
import type { Entry } from './settler.js';

interface GiveUpParts {
  readonly store: Pick<SettlementStore, 'postpone'>;
  readonly clock: Clock;
}

/**
 * Gives up an attempt that cannot be recorded: it is made again, each time after a longer delay. Resolves once the row is due
 * then; it stays due at once if the database rejects that update, too.
 */
export function createGiveUp({ store, clock }: GiveUpParts) {
  return async ({ known: { delivery } }: Pick<Entry, 'known'>): Promise<void> => {
    if (delivery === null) return;
    const until = dueAgain(delivery.lastAttempt?.attemptedAt ?? delivery.createdAt, clock.now());
    await store.postpone(new Map([[delivery.id, until]])).catch(() => {});
  };
}
