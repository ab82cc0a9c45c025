import { chunksOf } from '@postrider/shared/domain/chunks';
import { DAY_MS } from '@postrider/shared/domain/durations';
import type { WorkspaceId } from '@postrider/shared/domain/id';
import type { Clock } from '@postrider/shared/ports/clock';
import type { DayOfWorkspace, DigestStore } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';
import { atOnce } from '@postrider/shared/runtime/at-once';
import { dayName, daysToReport, digestId, digestOf, lastDay } from './digest.js';
import type { TaskResult } from './record-runs.js';
import { createTimeBudget } from './time-budget.js';

const WORKSPACES_OF_A_PAGE = 100;
/** Workspaces that are counted and notified together: alone, each costs three times as much. */
const WORKSPACES_OF_A_GROUP = 20;
/** A group is several queries and a transaction, each mostly waiting for the database. */
const GROUPS_AT_ONCE = 4;

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
export async function sendDigests(parts: DigestParts): Promise<TaskResult> {
  const { store, clock, retentionMs, log } = parts;
  const now = clock.now();
  const hasTime = createTimeBudget(parts);
  const progress = await store.progress();
  const total = { sent: 0, failed: 0, isDone: true };
  for (const day of daysToReport(now, retentionMs)) {
    if (progress !== null && day < progress.day) continue;
    const after = progress?.day.getTime() === day.getTime() ? progress.after : null;
    const result = await reportDay(parts, { day, now, after, hasTime, saves: total.failed === 0 });
    add(total, result);
    total.isDone = result.isDone;
    if (!result.isDone) break;
  }
  const facts = { sent: total.sent, failed: total.failed, day: dayName(lastDay(now)) };
  if (total.isDone) log.info({ event: 'digest.done', ...facts }, 'daily digests were sent');
  else log.warn({ event: 'digest.unfinished', ...facts }, 'the time is up; the next run continues');
  if (total.failed > 0) throw new Error(`workspaces without a digest: ${total.failed}`);
  return { handled: total.sent, isFinished: total.isDone };
}

/** How many digests were new, and how many workspaces failed. */
interface Sent {
  sent: number;
  failed: number;
}

function add(total: Sent, { sent, failed }: Sent): void {
  total.sent += sent;
  total.failed += failed;
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
    add(result, await reportPage(parts, { day, now, workspaces: page }));
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
async function reportPage(parts: DigestParts, { day, now, workspaces }: PageOfWorkspaces): Promise<Sent> {
  const active = workspaces.filter(({ isActive }) => isActive).map(({ id }) => id);
  const stored = await parts.store.stored(active.map((id) => digestId(id, day)));
  const open = active.filter((id) => !stored.has(digestId(id, day)));
  const result = { sent: 0, failed: 0 };
  await atOnce(chunksOf(open, WORKSPACES_OF_A_GROUP), GROUPS_AT_ONCE, async (workspaceIds) => {
    add(result, await reportGroup(parts, { day, now, workspaceIds }));
  });
  return result;
}

interface GroupOfWorkspaces {
  readonly day: Date;
  readonly now: Date;
  readonly workspaceIds: readonly WorkspaceId[];
}

/** Reports to a group of workspaces at once, and after a failure to each of them separately. */
async function reportGroup(parts: DigestParts, group: GroupOfWorkspaces): Promise<Sent> {
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
  for (const workspaceId of workspaceIds)
    add(result, await reportGroup(parts, { day, now, workspaceIds: [workspaceId] }));
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
