import { LATE_AFTER_MS } from '@postrider/shared/domain/delivery-stats';
import { DAY_MS, HOUR_MS } from '@postrider/shared/domain/durations';
import { type EndpointId, firstIdAt, type WorkspaceId } from '@postrider/shared/domain/id';
import { addHours, hourOf } from '@postrider/shared/domain/stat-hours';
import type { Clock } from '@postrider/shared/ports/clock';
import type {
  HourSpan,
  RecountPosition,
  RecountStore,
  ReplacedHours,
  Tally,
  UnfinishedEndpoint,
  Unreadable,
} from '@postrider/shared/ports/delivery-stats';
import type { Log } from '@postrider/shared/ports/log';
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

const RECOUNTED_MS = 2 * DAY_MS;
/** Closed hours change rarely: by failures that are retried in a later hour. */
const CLOSED_FOR_MS = HOUR_MS / 4;
const ENDPOINTS_OF_A_PAGE = 100;
/** Number of rows read between two checks of the time. */
const ROWS_OF_A_SLICE = 10_000;
const REMOVED_AT_ONCE = 1_000;

/** The hours to count: those that closed within two days, and whose deliveries are not removed yet. */
export function closedHours(now: Date, retentionMs: number): HourSpan {
  const before = hourOf(new Date(now.getTime() - CLOSED_FOR_MS)).getTime();
  const from = Math.max(before - RECOUNTED_MS, keptFrom(now, retentionMs).getTime());
  return { from: new Date(Math.min(before, from)), before: new Date(before) };
}

/** The beginning of the first hour whose deliveries all still exist. */
function keptFrom(now: Date, retentionMs: number): Date {
  return new Date(
    hourOf(new Date(Math.max(0, now.getTime() - retentionMs + LATE_AFTER_MS))).getTime() + HOUR_MS,
  );
}

/** The earliest creation time of deliveries that may have an outcome in these hours that is not late. */
function createdFrom({ from }: HourSpan): Date {
  return new Date(from.getTime() - LATE_AFTER_MS);
}

/**
 * Counts the deliveries of the last two days' closed hours again from their rows, for each endpoint and workspace, and
 * replaces counts that differ, unless they have changed meanwhile. Counts of late outcomes stay unchanged. If a run has no time
 * for all endpoints, the next one continues it. Rows that cannot be read, and hours that the database rejects, are skipped. Also
 * removes counts older than the retention.
 *
 * @returns how many hours were replaced
 */
export async function recountStats(parts: RecountParts): Promise<number> {
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
  return replaced;
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

/** A workspace whose endpoints are not all done. */
interface OpenWorkspace {
  readonly id: WorkspaceId;
  readonly span: HourSpan;
  /** Of the endpoints that are done. */
  readonly tally: Tally;
  /** The last endpoint that is done. */
  last: EndpointId | null;
  /** The endpoint whose rows are not all counted. */
  endpoint: UnfinishedEndpoint | null;
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
    open ??= await begun(store, workspaceId, hours);
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

async function begun(store: RecountStore, id: WorkspaceId, span: HourSpan): Promise<OpenWorkspace> {
  const tally = { stored: await store.workspaceHours(id, span), counted: new Map() };
  return { id, span, tally, last: null, endpoint: null };
}

/** Hours whose deliveries may have been removed meanwhile are not compared. */
function resumed(position: RecountPosition, kept: Date): OpenWorkspace | null {
  const { workspaceId, endpointId, unfinished } = position;
  if (unfinished === null) return null;
  const { span, tally, endpoint } = unfinished;
  const from = span.from < kept ? kept : span.from;
  return { id: workspaceId, span: { ...span, from }, tally, last: endpointId, endpoint };
}

function positionIn({ id, span, tally, last, endpoint }: OpenWorkspace): RecountPosition {
  return { workspaceId: id, endpointId: last, unfinished: { span, tally, endpoint } };
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
  const stored = await store.endpointHours(endpointIds, span);
  const tallies = new Map<EndpointId, Tally>(
    endpointIds.map((id) => [id, { stored: stored.get(id) ?? new Map(), counted: new Map() }]),
  );
  const tallyOf = (id: EndpointId): Tally => tallies.get(id) ?? { stored: new Map(), counted: new Map() };
  if (open.endpoint !== null && open.endpoint.id !== endpointIds[0]) open.endpoint = null;
  if (open.endpoint !== null) tallies.set(open.endpoint.id, open.endpoint.tally);
  for (let left = endpointIds; left.length > 0; ) {
    const { counted, unreadable, last } = await store.countRows({
      endpointIds: open.endpoint === null ? left : [open.endpoint.id],
      after: open.endpoint?.reached ?? firstIdAt('delivery', createdFrom(span)),
      limit: ROWS_OF_A_SLICE,
    });
    for (const [id, hours] of counted) addHours(tallyOf(id).counted, hours);
    const isAlone = open.endpoint !== null;
    const count = last !== null ? left.indexOf(last.endpointId) : isAlone ? 1 : left.length;
    const done = left.slice(0, count);
    left = left.slice(count);
    for (const id of done) addHours(open.tally.counted, tallyOf(id).counted);
    open.last = done.at(-1) ?? open.last;
    open.endpoint = last && {
      id: last.endpointId,
      reached: last.deliveryId,
      tally: tallyOf(last.endpointId),
    };
    const written = await store.replaceEndpoints(new Map(done.map((id) => [id, tallyOf(id)])), span);
    yield { written, unreadable };
  }
}
