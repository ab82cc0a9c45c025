import { DAY_MS } from '@postrider/shared/domain/durations';
import { derivedId, type WorkspaceId } from '@postrider/shared/domain/id';
import type { Notification } from '@postrider/shared/domain/notification';
import type { Activity } from '@postrider/shared/ports/housekeeping';

/** Yesterday and the days before it for which missed digests are sent. */
const DAYS = 7;

/** The beginnings of the days to report, the oldest first. Yesterday is always one of them. */
export function daysToReport(now: Date, retentionMs: number): Date[] {
  const last = lastDay(now).getTime();
  const keptFrom = now.getTime() - retentionMs;
  return Array.from({ length: DAYS }, (_, ago) => last - (DAYS - 1 - ago) * DAY_MS)
    .filter((day) => day === last || day >= keptFrom)
    .map((day) => new Date(day));
}

/** The beginning of yesterday. */
export function lastDay(now: Date): Date {
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
  const day = dayName(from);
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

/** The date of a day, as digests and the log show it. */
export function dayName(date: Date): string {
  return date.toISOString().slice(0, 10);
}
