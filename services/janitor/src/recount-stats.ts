import type { EndpointId, WorkspaceId } from '@postrider/shared/domain/id';
import { addHours, HOUR_MS, type HourCounts, hourOf } from '@postrider/shared/domain/stat-hours';
import type { Clock } from '@postrider/shared/ports/clock';
import type { HourSpan, RecountStore, StoredHours } from '@postrider/shared/ports/delivery-stats';
import type { Log } from '@postrider/shared/ports/log';

export interface RecountParts {
  readonly store: RecountStore;
  readonly clock: Clock;
  readonly retentionMs: number;
  /** Time after which no further endpoints begin, in milliseconds. */
  readonly budgetMs: number;
  readonly log: Log;
}

const DAY_MS = 24 * HOUR_MS;
const RECOUNTED_MS = 2 * DAY_MS;
/** How long a delivery may take from its creation to an outcome that is counted here. */
const LONGEST_MS = DAY_MS;
/** Closed hours change rarely: by failures that are retried in a later hour. */
const CLOSED_FOR_MS = HOUR_MS / 4;
const ENDPOINTS_AT_ONCE = 100;

/** The hours to count: those that closed within two days, and whose deliveries are not removed yet. */
export function closedHours(now: Date, retentionMs: number): HourSpan {
  const before = hourOf(new Date(now.getTime() - CLOSED_FOR_MS)).getTime();
  const kept = hourOf(new Date(Math.max(0, now.getTime() - retentionMs + LONGEST_MS))).getTime() + HOUR_MS;
  return {
    from: new Date(Math.min(before, Math.max(before - RECOUNTED_MS, kept))),
    before: new Date(before),
  };
}

/**
 * Counts the deliveries of the last two days' closed hours again from their rows, for each endpoint and workspace, and
 * replaces what differs, unless it has changed meanwhile. Then removes the counts that are older than the retention. A run
 * that has no time for all of them is continued by the next one.
 *
 * @returns how many hours were replaced
 */
export async function recountStats(parts: RecountParts): Promise<number> {
  const { store, clock, retentionMs, budgetMs, log } = parts;
  const now = clock.now();
  const hasTime = () => clock.now().getTime() - now.getTime() <= budgetMs;
  const { replaced, isFinished } = await recountFrom(store, closedHours(now, retentionMs), hasTime);
  if (!isFinished) {
    log.warn({ event: 'stats.unfinished', replaced }, 'the time is up; the next run continues');
    return replaced;
  }
  await store.savePosition(null);
  const removed = await store.removeBefore(new Date(Math.max(0, now.getTime() - retentionMs)));
  log.info({ event: 'stats.recounted', replaced, removed }, 'the counts of closed hours were compared');
  return replaced;
}

interface OpenWorkspace {
  readonly id: WorkspaceId;
  /** The last endpoint that was counted. */
  last: EndpointId | null;
  /** Of its endpoints, by the beginning of the hour. */
  readonly counted: Map<number, HourCounts>;
  /** As they were stored before its endpoints were counted; null if an earlier run counted some of them. */
  readonly stored: StoredHours | null;
}

/**
 * Begins where the last run stopped: with the workspace that it did not finish. Only if all of its time was too short for that
 * one, this run continues behind its last endpoint, and does not compare the counts of the workspace itself.
 */
async function recountFrom(
  store: RecountStore,
  hours: HourSpan,
  hasTime: () => boolean,
): Promise<{ readonly replaced: number; readonly isFinished: boolean }> {
  const span = { ...hours, createdFrom: new Date(hours.from.getTime() - LONGEST_MS) };
  const after = await store.position();
  let replaced = 0;
  let isFirst = true;
  let open: OpenWorkspace | null = null;
  const finish = async ({ id, counted, stored }: OpenWorkspace) => {
    if (stored !== null) replaced += await store.replaceWorkspace(id, { counted, stored, span });
    await store.savePosition({ workspaceId: id, endpointId: null });
    isFirst = false;
  };
  for await (const { workspaceId, endpointIds } of store.endpoints({ after, limit: ENDPOINTS_AT_ONCE })) {
    if (open !== null && open.id !== workspaceId) {
      await finish(open);
      open = null;
    }
    if (!hasTime()) {
      if (isFirst && open !== null) await store.savePosition({ workspaceId, endpointId: open.last });
      return { replaced, isFinished: false };
    }
    open ??= {
      id: workspaceId,
      last: null,
      counted: new Map(),
      stored: after?.workspaceId === workspaceId ? null : await store.workspaceHours(workspaceId, span),
    };
    const recounted = await store.recount(endpointIds, span);
    replaced += recounted.replaced;
    for (const hoursOf of recounted.counted.values()) addHours(open.counted, hoursOf);
    open.last = endpointIds.at(-1) ?? null;
  }
  if (open !== null) await finish(open);
  return { replaced, isFinished: true };
}
