import type { EndpointId } from '@postrider/shared/domain/id';
import type { Clock } from '@postrider/shared/ports/clock';
import type {
  HourSpan,
  RecountStore,
  ReplacedHours,
  Unreadable,
} from '@postrider/shared/ports/delivery-stats';
import type { Log } from '@postrider/shared/ports/log';
import { closedHours, createdFrom, keptFrom } from './closed-hours.js';
import { createPageCount } from './count-page.js';
import { begun, type OpenWorkspace, positionIn, resumed } from './open-workspace.js';
import type { TaskResult } from './record-runs.js';
import { createSkippedCounts, type SkippedCounts } from './skipped-counts.js';
import { createTimeBudget } from './time-budget.js';

export interface RecountParts {
  readonly store: RecountStore;
  readonly clock: Clock;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  readonly retentionMs: number;
  /** Time after which no further rows are read, in milliseconds. */
  readonly budgetMs: number;
  readonly log: Log;
}

const ENDPOINTS_OF_A_PAGE = 100;
const REMOVED_AT_ONCE = 1_000;

/**
 * Counts the deliveries of the last two days' closed hours again from their rows, for each endpoint and workspace, and
 * replaces counts that differ, unless they have changed meanwhile. Counts of late outcomes stay unchanged. If a run has no time
 * for all endpoints, the next one continues it. Rows that cannot be read, and hours that the database rejects, are skipped. Also
 * removes counts older than the retention.
 *
 * @returns how many hours were replaced
 */
export async function recountStats(parts: RecountParts): Promise<TaskResult> {
  const { store, clock, retentionMs, log } = parts;
  const now = clock.now();
  const hasTime = createTimeBudget(parts);
  const skipped = createSkippedCounts(log);
  const [hours, kept] = [closedHours(now, retentionMs), keptFrom(now, retentionMs)];
  const tasks = [
    recountFrom({ store, hours, kept, hasTime, skipped }),
    removeBefore(store, new Date(Math.max(0, now.getTime() - retentionMs)), hasTime),
  ] as const;
  await Promise.allSettled(tasks);
  const [{ replaced, isFinished }, removed] = await Promise.all(tasks);
  const facts = { replaced, removed, skipped: skipped.total() };
  if (isFinished)
    log.info({ event: 'stats.recounted', ...facts }, 'the counts of closed hours were compared');
  else log.warn({ event: 'stats.unfinished', ...facts }, 'the time is up; the next run continues');
  return { handled: replaced, isFinished };
}

async function removeBefore(store: RecountStore, before: Date, hasTime: () => boolean): Promise<number> {
  let removed = 0;
  while (hasTime()) {
    const ofChunk = await store.removeBefore(before, REMOVED_AT_ONCE);
    if (ofChunk === 0) break;
    removed += ofChunk;
  }
  return removed;
}

interface Recount {
  readonly store: RecountStore;
  /** The hours of workspaces that this run begins. */
  readonly hours: HourSpan;
  /** No deliveries of later hours were removed. */
  readonly kept: Date;
  readonly hasTime: () => boolean;
  readonly skipped: SkippedCounts;
}

/**
 * Begins where the last run stopped, even within an endpoint, with the counts of that run. For a workspace that it did not
 * finish, the same hours are counted to the end.
 */
async function recountFrom({ store, hours, kept, hasTime, skipped }: Recount) {
  const after = await store.position();
  let replaced = 0;
  let open = after === null ? null : resumed(after, kept);
  const finish = async ({ id, tally, span }: OpenWorkspace) => {
    const written = await store.replaceWorkspace(id, tally, span);
    skipped.addHours(written.rejected);
    replaced += written.replaced;
    await store.savePosition({ workspaceId: id, endpointId: null, unfinished: null });
  };
  // An endpoint that was deleted before the rows to count were created has none of them.
  const deletedFrom = createdFrom(after?.unfinished?.span ?? hours);
  const pages = store.endpoints({ after, deletedFrom, limit: ENDPOINTS_OF_A_PAGE });
  for await (const { workspaceId, endpointIds } of pages) {
    if (open !== null && open.id !== workspaceId) {
      await finish(open);
      open = null;
    }
    if (!hasTime()) {
      if (open !== null) await store.savePosition(positionIn(open));
      return { replaced, isFinished: false };
    }
    open ??= begun(workspaceId, hours, await store.workspaceHours(workspaceId, hours));
    for await (const { written, unreadable } of recountPage(store, open, endpointIds)) {
      skipped.addRows(unreadable);
      skipped.addHours(written.rejected);
      replaced += written.replaced;
      const isPageDone = open.last === endpointIds.at(-1);
      if (!isPageDone || endpointIds.length === ENDPOINTS_OF_A_PAGE)
        await store.savePosition(positionIn(open));
      if (!isPageDone && !hasTime()) return { replaced, isFinished: false };
    }
  }
  if (open !== null) await finish(open);
  await store.savePosition(null);
  return { replaced, isFinished: true };
}

/** What a slice has read and written. */
interface Slice {
  readonly written: ReplacedHours;
  readonly unreadable: readonly Unreadable[];
}

/** Recounts endpoints of a workspace in slices. */
async function* recountPage(
  store: RecountStore,
  open: OpenWorkspace,
  endpointIds: readonly EndpointId[],
): AsyncGenerator<Slice> {
  const { span } = open;
  const page = createPageCount(open, endpointIds, await store.endpointHours(endpointIds, span));
  for (let slice = page.next(); slice !== null; slice = page.next()) {
    const rows = await store.countRows(slice);
    const written = await store.replaceEndpoints(page.add(rows), span);
    yield { written, unreadable: rows.unreadable };
  }
}
