import { firstIdAt } from '@postrider/shared/domain/id';
import type { Clock } from '@postrider/shared/ports/clock';
import type { History, IdRange, Removal, TombstoneRemoval } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';
import { atOnce } from './at-once.js';

/** Maximum number of deliveries removed in one pass (specification, section 8). */
const PASS = 100;
/** Records of events without deliveries are small. */
const PASS_OF_EVENTS = 1_000;
/** More ranges than workers, because days are not equally busy: a worker that is done takes the next range. */
const RANGES_PER_WORKER = 8;

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
 * or the time is up. Several workers remove deliveries at the same time, each in ranges of its own.
 *
 * @returns how many deliveries were removed
 */
export async function removeExpired(parts: RemoveExpiredParts): Promise<number> {
  const { history, clock, retentionMs, budgetMs, workers, log } = parts;
  const started = clock.now().getTime();
  // A retention that reaches back beyond the epoch keeps everything.
  const before = new Date(Math.max(0, started - retentionMs));
  const hasTime = () => clock.now().getTime() - started <= budgetMs;
  const ranges = expiredRanges(await history.oldestDelivery(), before, workers * RANGES_PER_WORKER);
  const expired = await inRanges(history, ranges, { workers, hasTime });
  const events = await removeEvents(history, before, hasTime);
  const tombstones = await removeTombstones(history, hasTime);
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

/** Divides the time from the oldest delivery that has ended to `before` into equal ranges. */
export function expiredRanges(oldest: Date | null, before: Date, count: number): readonly IdRange[] {
  if (oldest === null || oldest >= before) return [];
  const span = before.getTime() - oldest.getTime();
  const idAt = (index: number) =>
    firstIdAt('delivery', new Date(oldest.getTime() + Math.floor((span * index) / count)));
  return Array.from({ length: count }, (_, index) => ({ after: idAt(index), before: idAt(index + 1) }));
}

interface Work {
  readonly workers: number;
  readonly hasTime: () => boolean;
}

async function inRanges(history: History, ranges: readonly IdRange[], { workers, hasTime }: Work) {
  let removed = 0;
  let drained = true;
  await atOnce(ranges, workers, async (range) => {
    for (let after: string | null = range.after; after !== null; ) {
      drained &&= hasTime();
      if (!drained) return;
      const pass: Removal = await history.removeExpired({ after, before: range.before }, PASS);
      removed += pass.removed;
      after = pass.last;
    }
  });
  return { removed, drained };
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

/** Each pass continues at the last one, because tombstones that still have deliveries stay in front of it. */
async function removeTombstones(history: History, hasTime: () => boolean) {
  let removed = 0;
  let from: Date | null = null;
  while (hasTime()) {
    const pass: TombstoneRemoval = await history.removeTombstones(from, PASS);
    removed += pass.removed;
    if (pass.last === null) return { removed, drained: true };
    from = pass.last;
  }
  return { removed, drained: false };
}
