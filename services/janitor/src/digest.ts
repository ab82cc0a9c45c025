import { derivedId, type WorkspaceId } from '@postrider/shared/domain/id';
import type { Notification } from '@postrider/shared/domain/notification';
import type { Clock } from '@postrider/shared/ports/clock';
import type { DigestStore, StatusCounts } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';

const DAY_MS = 24 * 60 * 60 * 1_000;
const WORKSPACES_AT_ONCE = 100;

/** Yesterday and the days before it for which missed digests are sent. */
const DAYS = 7;

export interface DigestParts {
  readonly store: DigestStore;
  readonly clock: Clock;
  /** How long deliveries are kept. Days before that would be counted incompletely. */
  readonly retentionMs: number;
  readonly isDatabaseAway: (error: unknown) => boolean;
  readonly log: Log;
}

/**
 * Sends each workspace a digest of its deliveries, one for each day (UTC) that had any: yesterday, and missed days of the
 * week before. A failing workspace does not affect the others.
 *
 * @returns how many digests were sent
 * @throws Error if a digest could not be sent; the next run sends it
 */
export async function sendDigests(parts: DigestParts): Promise<number> {
  const { store, clock, retentionMs, isDatabaseAway, log } = parts;
  const now = clock.now();
  const days = daysToReport(now, retentionMs);
  let sent = 0;
  let failed = 0;
  for (let after: WorkspaceId | null = null; ; ) {
    const workspaceIds: readonly WorkspaceId[] = await store.workspaceIds(after, WORKSPACES_AT_ONCE);
    for (const workspaceId of workspaceIds) {
      try {
        sent += await sendMissing(store, { workspaceId, days, now });
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        failed += 1;
        log.error({ event: 'digest.failed', workspaceId, err: error }, 'a digest could not be sent');
      }
    }
    after = workspaceIds.at(-1) ?? null;
    if (workspaceIds.length < WORKSPACES_AT_ONCE) break;
  }
  log.info({ event: 'digest.done', sent, failed, day: dayOf(lastDay(now)) }, 'daily digests were sent');
  if (failed > 0) throw new Error(`workspaces without a digest: ${failed}`);
  return sent;
}

interface DaysOfWorkspace {
  readonly workspaceId: WorkspaceId;
  readonly days: readonly Date[];
  readonly now: Date;
}

/** @returns the number of digests sent */
async function sendMissing(store: DigestStore, { workspaceId, days, now }: DaysOfWorkspace): Promise<number> {
  const stored = await store.stored(days.map((day) => digestId(workspaceId, day)));
  let sent = 0;
  for (const from of days) {
    if (stored.has(digestId(workspaceId, from))) continue;
    const to = new Date(from.getTime() + DAY_MS);
    const counts = await store.countDeliveries(workspaceId, from, to);
    const endpointsDisabled = await store.countAudits(workspaceId, 'webhook_endpoint.disabled', from, to);
    const digest = digestOf({ workspaceId, from, now, counts, endpointsDisabled });
    if (digest !== null && (await store.announce(digest))) sent += 1;
  }
  return sent;
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

interface DayOfDeliveries {
  readonly workspaceId: WorkspaceId;
  readonly from: Date;
  readonly now: Date;
  readonly counts: StatusCounts;
  readonly endpointsDisabled: number;
}

/** @returns null if there is nothing to report */
export function digestOf(dayOfDeliveries: DayOfDeliveries): Notification | null {
  const { workspaceId, from, now, counts, endpointsDisabled } = dayOfDeliveries;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0 && endpointsDisabled === 0) return null;
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
      endpointsDisabled,
    },
    createdAt: now,
  };
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
