import type { Clock } from '@postrider/shared/ports/clock';
import type { History } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';

/** Deliveries removed in one pass at most (specification, section 8). */
const PASS = 100;

export interface RemoveExpiredParts {
  readonly history: History;
  readonly clock: Clock;
  readonly retentionMs: number;
  /** No further pass begins after this, in milliseconds. */
  readonly budgetMs: number;
  readonly log: Log;
}

/** Removes expired deliveries with their attempts, pass after pass, until none is left or the time is up. */
export async function removeExpired({
  history,
  clock,
  retentionMs,
  budgetMs,
  log,
}: RemoveExpiredParts): Promise<number> {
  const started = clock.now().getTime();
  const before = new Date(started - retentionMs);
  let total = 0;
  for (let removed = PASS; removed === PASS; ) {
    if (clock.now().getTime() - started > budgetMs) {
      log.warn(
        { event: 'cleanup.unfinished', removed: total, before },
        'the time is up; the next run goes on',
      );
      return total;
    }
    removed = await history.removeExpired(before, PASS);
    total += removed;
  }
  const tombstones = await history.removeTombstones(PASS);
  log.info({ event: 'cleanup.done', removed: total, tombstones, before }, 'expired deliveries were removed');
  return total;
}
