import { derivedId } from '@postrider/shared/domain/id';
import type { Notification } from '@postrider/shared/domain/notification';
import type { Clock } from '@postrider/shared/ports/clock';
import type { DigestStore, StatusCounts } from '@postrider/shared/ports/housekeeping';
import type { Log } from '@postrider/shared/ports/log';

const DAY_MS = 24 * 60 * 60 * 1_000;
const WORKSPACES_AT_ONCE = 100;

export interface DigestParts {
  readonly store: DigestStore;
  readonly clock: Clock;
  readonly log: Log;
}

/** Tells each workspace what became of yesterday's deliveries (UTC): once, and only when there were any. */
export async function sendDigests({ store, clock, log }: DigestParts): Promise<number> {
  const now = clock.now();
  const to = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS);
  const from = new Date(to.getTime() - DAY_MS);
  let sent = 0;
  for (let after: string | null = null; ; ) {
    const workspaceIds: readonly string[] = await store.workspaceIds(after, WORKSPACES_AT_ONCE);
    for (const workspaceId of workspaceIds) {
      const counts = await store.countDeliveries(workspaceId, from, to);
      const endpointsDisabled = await store.countAudits(workspaceId, 'webhook_endpoint.disabled', from, to);
      const digest = digestOf({ workspaceId, from, now, counts, endpointsDisabled });
      if (digest !== null && (await store.announce(digest))) sent += 1;
    }
    after = workspaceIds.at(-1) ?? null;
    if (workspaceIds.length < WORKSPACES_AT_ONCE) break;
  }
  log.info({ event: 'digest.done', sent, day: dayOf(from) }, 'daily digests were sent');
  return sent;
}

interface DayOfDeliveries {
  readonly workspaceId: string;
  readonly from: Date;
  readonly now: Date;
  readonly counts: StatusCounts;
  readonly endpointsDisabled: number;
}

/** One digest per workspace and day: its id follows from both. Null when there is nothing to tell. */
export function digestOf({
  workspaceId,
  from,
  now,
  counts,
  endpointsDisabled,
}: DayOfDeliveries): Notification | null {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  if (total === 0 && endpointsDisabled === 0) return null;
  const day = dayOf(from);
  return {
    id: derivedId('notification', from, `digest ${workspaceId}`),
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
