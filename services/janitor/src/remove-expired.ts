import type { Clock } from '@postrider/shared/ports/clock';
import type { History } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';

/** Maximum number of deliveries removed in one pass (specification, section 8). */
const PASS = 100;

export interface RemoveExpiredParts {
  readonly history: History;
  readonly clock: Clock;
  readonly retentionMs: number;
  /** Time after which no further pass begins, in milliseconds. */
  readonly budgetMs: number;
  readonly log: Log;
}

/**
 * Removes expired deliveries with their attempts, then deleted endpoints without deliveries, in passes until none is left
 * or the time is up.
 *
 * @returns how many deliveries were removed
 */
export async function removeExpired(parts: RemoveExpiredParts): Promise<number> {
  const { history, clock, retentionMs, budgetMs, log } = parts;
  const started = clock.now().getTime();
  // A retention that reaches back beyond the epoch keeps everything.
  const before = new Date(Math.max(0, started - retentionMs));
  const hasTime = () => clock.now().getTime() - started <= budgetMs;
  const expired = await inPasses(() => history.removeExpired(before, PASS), hasTime);
  const tombstones = await inPasses(() => history.removeTombstones(PASS), hasTime);
  const facts = { removed: expired.removed, tombstones: tombstones.removed, before };
  if (expired.drained && tombstones.drained)
    log.info({ event: 'cleanup.done', ...facts }, 'expired deliveries were removed');
  else log.warn({ event: 'cleanup.unfinished', ...facts }, 'the time is up; the next run continues');
  return expired.removed;
}

async function inPasses(removePass: () => Promise<number>, hasTime: () => boolean) {
  let removed = 0;
  while (hasTime()) {
    const ofPass = await removePass();
    removed += ofPass;
    if (ofPass < PASS) return { removed, drained: true };
  }
  return { removed, drained: false };
}
