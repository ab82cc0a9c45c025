import { chunksOf } from '@postrider/shared/domain/chunks';
import { DAY_MS } from '@postrider/shared/domain/durations';
import { derivedId, type WorkspaceId } from '@postrider/shared/domain/id';
import type { Notification } from '@postrider/shared/domain/notification';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Activity, DayOfWorkspace, DigestStore } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';
import { atOnce } from '@postrider/shared/runtime/at-once';
import { createTimeBudget } from './time-budget.js';

const WORKSPACES_OF_A_PAGE = 100;
/** Workspaces that are counted and notified together: alone, each costs three times as much. */
const WORKSPACES_OF_A_GROUP = 20;
/** A group is several queries and a transaction, each mostly waiting for the database. */
const GROUPS_AT_ONCE = 4;

/** Yesterday and the days before it for which missed digests are sent. */
const DAYS = 7;

export interface DigestParts {
  readonly store: DigestStore;
  readonly clock: Clock;
  /** A clock that never steps, in milliseconds. */
  readonly monotonicMs: () => number;
  /** How long deliveries are kept. Days before that would be counted incompletely. */
  readonly retentionMs: number;
  /** Time after which no further page of workspaces begins, in milliseconds. */
  readonly budgetMs: number;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/**
 * Sends each workspace a digest of its deliveries, one for each day (UTC) that had any: yesterday, and missed days of the
 * week before. Stores its progress after each page of workspaces, so that no day is read twice.
 * A failing workspace does not affect the others; its day is handled again by the next run.
 *
 * @returns how many digests were sent
 * @throws Error if a digest could not be sent
 */
export async function sendDigests(parts: DigestParts): Promise<number> {
  const { store, clock, retentionMs, log } = parts;
  const now = clock.now();
  const hasTime = createTimeBudget(parts);
  const progress = await store.progress();
  const total = { sent: 0, failed: 0, isDone: true };
  for (const day of daysToReport(now, retentionMs)) {
    if (progress !== null && day < progress.day) continue;
    const after = progress?.day.getTime() === day.getTime() ? progress.after : null;
    const result = await reportDay(parts, { day, now, after, hasTime, saves: total.failed === 0 });
    total.sent += result.sent;
    total.failed += result.failed;
    total.isDone = result.isDone;
    if (!result.isDone) break;
  }
  const facts = { sent: total.sent, failed: total.failed, day: dayOf(lastDay(now)) };
  if (total.isDone) log.info({ event: 'digest.done', ...facts }, 'daily digests were sent');
  else log.warn({ event: 'digest.unfinished', ...facts }, 'the time is up; the next run continues');
  if (total.failed > 0) throw new Error(`workspaces without a digest: ${total.failed}`);
  return total.sent;
}

interface DayRun {
  readonly day: Date;
  readonly now: Date;
  readonly after: WorkspaceId | null;
  readonly hasTime: () => boolean;
  /** False once a workspace failed: the next run begins with its day again. */
  readonly saves: boolean;
}

/** Reports one day to all workspaces, in pages. */
async function reportDay(parts: DigestParts, { day, now, hasTime, ...run }: DayRun) {
  const { store } = parts;
  const result = { sent: 0, failed: 0, isDone: false };
  const to = new Date(day.getTime() + DAY_MS);
  for (let after = run.after; ; ) {
    if (!hasTime()) return result;
    const page = await store.workspaces({ after, limit: WORKSPACES_OF_A_PAGE, from: day, to });
    const sent = await reportPage(parts, { day, now, workspaces: page });
    result.sent += sent.sent;
    result.failed += sent.failed;
    after = page.at(-1)?.id ?? null;
    const isLast = page.length < WORKSPACES_OF_A_PAGE;
    if (run.saves && result.failed === 0)
      await store.saveProgress(isLast ? { day: to, after: null } : { day, after });
    if (isLast) return { ...result, isDone: true };
  }
}

interface PageOfWorkspaces {
  readonly day: Date;
  readonly now: Date;
  readonly workspaces: readonly DayOfWorkspace[];
}

/** The workspaces of a page in any order: progress is stored once all of them are done. */
async function reportPage(parts: DigestParts, { day, now, workspaces }: PageOfWorkspaces) {
  const active = workspaces.filter(({ isActive }) => isActive).map(({ id }) => id);
  const stored = await parts.store.stored(active.map((id) => digestId(id, day)));
  const open = active.filter((id) => !stored.has(digestId(id, day)));
  const result = { sent: 0, failed: 0 };
  await atOnce(chunksOf(open, WORKSPACES_OF_A_GROUP), GROUPS_AT_ONCE, async (workspaceIds) => {
    const sent = await reportGroup(parts, { day, now, workspaceIds });
    result.sent += sent.sent;
    result.failed += sent.failed;
  });
  return result;
}

interface GroupOfWorkspaces {
  readonly day: Date;
  readonly now: Date;
  readonly workspaceIds: readonly WorkspaceId[];
}

/** Reports to a group of workspaces at once, and after a failure to each of them separately. */
async function reportGroup(
  parts: DigestParts,
  group: GroupOfWorkspaces,
): Promise<{ sent: number; failed: number }> {
  const { day, now, workspaceIds } = group;
  try {
    return { sent: await sendGroup(parts.store, group), failed: 0 };
  } catch (error) {
    if (parts.isDatabaseAway(error)) throw error;
    const [workspaceId, ...others] = workspaceIds;
    if (others.length === 0) {
      parts.log.error({ event: 'digest.failed', workspaceId, err: error }, 'a digest could not be sent');
      return { sent: 0, failed: 1 };
    }
  }
  const result = { sent: 0, failed: 0 };
  for (const workspaceId of workspaceIds) {
    const alone = await reportGroup(parts, { day, now, workspaceIds: [workspaceId] });
    result.sent += alone.sent;
    result.failed += alone.failed;
  }
  return result;
}

/** @returns how many digests were new */
async function sendGroup(store: DigestStore, { day, now, workspaceIds }: GroupOfWorkspaces): Promise<number> {
  const activities = await store.activityOf(workspaceIds, day, new Date(day.getTime() + DAY_MS));
  const digests = activities
    .map((activity) => digestOf({ ...activity, from: day, now }))
    .filter((digest) => digest !== null);
  return digests.length === 0 ? 0 : store.announce(digests);
}

/** The beginnings of the days to report, the oldest first. Yesterday is always one of them. */
function daysToReport(now: Date, retentionMs: number): Date[] {
  const last = lastDay(now).getTime();
  const keptFrom = now.getTime() - retentionMs;
  return Array.from({ length: DAYS }, (_, ago) => last - (DAYS - 1 - ago) * DAY_MS)
    .filter((day) => day === last || day >= keptFrom)
    .map((day) => new Date(day));
}

/** The beginning of yesterday. */
function lastDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) - 1) * DAY_MS);
}

/** One digest per workspace and day: its id follows from both. */
export function digestId(workspaceId: WorkspaceId, day: Date): string {
  return derivedId('notification', day, `digest ${workspaceId}`);
}

interface DayOfActivity extends Activity {
  readonly from: Date;
  readonly now: Date;
}

/** @returns null if there is nothing to report */
export function digestOf(dayOfActivity: DayOfActivity): Notification | null {
  const { workspaceId, from, now, deliveries: counts, endpointsDisabled } = dayOfActivity;
  const total = Object.values(counts).reduce((sum, count) => sum + count, -counts.held);
  if (total === 0 && counts.held === 0 && endpointsDisabled === 0) return null;
  const day = dayOf(from);
  return {
    id: digestId(workspaceId, from),
    workspaceId,
    kind: 'delivery_digest',
    message: `${day}: ${counts.delivered} of ${total} deliveries arrived, ${counts.dead_lettered} were given up.`,
    endpointId: null,
    data: {
      day,
      pending: counts.pending,
      delivered: counts.delivered,
      failed: counts.failed,
      failedPermanent: counts.failed_permanent,
      deadLettered: counts.dead_lettered,
      held: counts.held,
      endpointsDisabled,
    },
    createdAt: now,
  };
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
