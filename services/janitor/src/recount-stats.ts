import type { WorkspaceId } from '@postrider/shared/domain/id';
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
 * replaces what differs, unless it has changed meanwhile. Then removes the counts that are older than the retention.
 *
 * @returns how many hours were replaced
 */
export async function recountStats(parts: RecountParts): Promise<number> {
  const { store, clock, retentionMs, budgetMs, log } = parts;
  const now = clock.now();
  const hasTime = () => clock.now().getTime() - now.getTime() <= budgetMs;
  const hours = closedHours(now, retentionMs);
  const span = { ...hours, createdFrom: new Date(hours.from.getTime() - LONGEST_MS) };
  let replaced = 0;
  let workspace = startOf(null);
  const finish = async () => {
    if (workspace.id === null) return;
    replaced += await store.replaceWorkspace(workspace.id, { ...workspace, span });
    await store.saveProgress({ before: hours.before, workspaceId: workspace.id });
  };
  const after = await store.progress(hours.before);
  for await (const endpoints of store.endpoints({ after, limit: ENDPOINTS_AT_ONCE })) {
    const [workspaceId] = endpoints.map((endpoint) => endpoint.workspaceId);
    if (workspaceId !== undefined && workspaceId !== workspace.id) {
      await finish();
      if (!hasTime()) {
        log.warn({ event: 'stats.unfinished', replaced }, 'the time is up; the next run continues');
        return replaced;
      }
      workspace = startOf(workspaceId, await store.workspaceHours(workspaceId, span));
    }
    const recounted = await store.recount(endpoints, span);
    replaced += recounted.replaced;
    for (const hoursOf of recounted.counted.values()) addHours(workspace.counted, hoursOf);
  }
  await finish();
  await store.saveProgress({ before: hours.before, workspaceId: null });
  const removed = await store.removeBefore(new Date(Math.max(0, now.getTime() - retentionMs)));
  log.info({ event: 'stats.recounted', replaced, removed }, 'the counts of closed hours were compared');
  return replaced;
}

interface OpenWorkspace {
  readonly id: WorkspaceId | null;
  /** Of its endpoints, by the beginning of the hour. */
  readonly counted: Map<number, HourCounts>;
  /** As they were stored before its endpoints were counted. */
  readonly stored: StoredHours;
}

function startOf(id: WorkspaceId | null, stored: StoredHours = new Map()): OpenWorkspace {
  return { id, counted: new Map(), stored };
}
