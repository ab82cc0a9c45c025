import type { Clock } from '@postrider/shared/ports/clock';
import type { History } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';
import { removeDeliveries } from './remove-deliveries.js';

const PASS_OF_TOMBSTONES = 100;
/** Records of events without deliveries are small. */
const PASS_OF_EVENTS = 1_000;

export interface RemoveExpiredParts {
  readonly history: History;
  readonly clock: Clock;
  readonly retentionMs: number;
  /** Time after which no further pass begins, in milliseconds. */
  readonly budgetMs: number;
  /** How many passes run at the same time. */
  readonly workers: number;
  readonly log: Log;
}

/**
 * Removes expired deliveries with their attempts, then deleted endpoints without deliveries, in passes until none is left
 * or the time is up. Several workers remove deliveries at the same time.
 *
 * @returns how many deliveries were removed
 */
export async function removeExpired(parts: RemoveExpiredParts): Promise<number> {
  const { history, clock, retentionMs, budgetMs, workers, log } = parts;
  const started = clock.now().getTime();
  // A retention that reaches back beyond the epoch keeps everything.
  const before = new Date(Math.max(0, started - retentionMs));
  const hasTime = () => clock.now().getTime() - started <= budgetMs;
  const expired = await removeDeliveries({ history, before, workers, hasTime });
  const events = await removeEvents(history, before, hasTime);
  const tombstones = await removeTombstones(history, before, hasTime);
  const facts = {
    removed: expired.removed,
    events: events.removed,
    tombstones: tombstones.removed,
    before,
  };
  if (expired.drained && events.drained && tombstones.drained)
    log.info({ event: 'cleanup.done', ...facts }, 'expired deliveries were removed');
  else log.warn({ event: 'cleanup.unfinished', ...facts }, 'the time is up; the next run continues');
  return expired.removed;
}

async function removeEvents(history: History, before: Date, hasTime: () => boolean) {
  let removed = 0;
  while (hasTime()) {
    const ofPass = await history.removeUnmatchedEvents(before, PASS_OF_EVENTS);
    removed += ofPass;
    if (ofPass < PASS_OF_EVENTS) return { removed, drained: true };
  }
  return { removed, drained: false };
}

/** An endpoint that was deleted later has deliveries that are not expired, or had none. */
async function removeTombstones(history: History, before: Date, hasTime: () => boolean) {
  let removed = 0;
  for await (const endpointIds of history.tombstones(before, PASS_OF_TOMBSTONES)) {
    if (!hasTime()) return { removed, drained: false };
    removed += await history.removeTombstones(endpointIds);
  }
  return { removed, drained: true };
}
