import { firstIdAt } from '@postrider/shared/domain/id';
import type { Clock } from '@postrider/shared/ports/clock';
import type { History } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';
import { inSlices } from './in-slices.js';
import type { TaskResult } from './record-runs.js';
import { type Removal, type Removed, removeDeliveries } from './remove-deliveries.js';
import { createTimeBudget } from './time-budget.js';

const PASS_OF_TOMBSTONES = 100;
/** Records of events without deliveries are small. */
const EVENTS_OF_A_SLICE = 1_000;

export interface RemoveExpiredParts {
  readonly history: History;
  readonly clock: Clock;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly retentionMs: number;
  /** Time after which no further pass begins, in milliseconds. */
  readonly budgetMs: number;
  /** Number of concurrent passes. */
  readonly workers: number;
  readonly log: Log;
}

/**
 * Removes expired deliveries with their attempts, expired records of events, and deleted endpoints without deliveries,
 * concurrently, until none is left or time runs out. Several workers remove deliveries at the same time, and as many remove events.
 *
 * @returns how many deliveries were removed
 */
export async function removeExpired(parts: RemoveExpiredParts): Promise<TaskResult> {
  const { history, clock, retentionMs, workers, log } = parts;
  // A retention that reaches back beyond the epoch keeps everything.
  const before = new Date(Math.max(0, clock.now().getTime() - retentionMs));
  const hasTime = createTimeBudget(parts);
  const work = { history, before, workers, hasTime };
  const tasks = [removeDeliveries(work), removeEvents(work), removeTombstones(work)] as const;
  // A failure is reported once the others have ended.
  await Promise.allSettled(tasks);
  const [deliveries, events, tombstones] = await Promise.all(tasks);
  const facts = {
    removed: deliveries.removed,
    events: events.removed,
    tombstones: tombstones.removed,
    before,
  };
  const isFinished = deliveries.drained && events.drained && tombstones.drained;
  if (isFinished) log.info({ event: 'cleanup.done', ...facts }, 'expired deliveries were removed');
  else log.warn({ event: 'cleanup.unfinished', ...facts }, 'the time is up; the next run continues');
  return { handled: deliveries.removed, isFinished };
}

/** All records of a slice are removed at once. */
async function removeEvents({ history, before, workers, hasTime }: Removal): Promise<Removed> {
  let removed = 0;
  const [first, end] = [new Date(0), before].map((at) => firstIdAt('event', at)) as [string, string];
  const drained = await inSlices({
    range: { from: first, before: end },
    endOfSlice: (rest) => history.endOfEventSlice(rest, EVENTS_OF_A_SLICE),
    workers,
    hasTime,
    async handle(slice) {
      removed += await history.removeUnmatchedEvents(slice);
      return true;
    },
  });
  return { removed, drained };
}

/** An endpoint that was deleted later has deliveries that are not expired, or had none. */
async function removeTombstones({ history, before, hasTime }: Removal): Promise<Removed> {
  let removed = 0;
  for await (const endpointIds of history.tombstones(before, PASS_OF_TOMBSTONES)) {
    if (!hasTime()) return { removed, drained: false };
    removed += await history.removeTombstones(endpointIds);
  }
  return { removed, drained: true };
}
