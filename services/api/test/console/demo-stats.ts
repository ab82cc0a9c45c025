import { HOUR_MS } from '@postrider/shared/domain/durations';
import { latencyBucket } from '@postrider/shared/domain/latency-buckets';
import { hourOf } from '@postrider/shared/domain/stat-hours';
import { statsId } from '@postrider/shared/mongo/stats-store';
import type { ApiWorld } from '../api-world.js';

const HOURS = 30 * 24;
const BUSY_HOURS = { from: 7, to: 19 } as const;
/** A receiver fails in these hours, counted back from now. */
const OUTAGE = { from: 5, to: 8 } as const;

/**
 * Hourly counts of a month: more by day than at night, with an outage some hours ago.
 *
 * @param latest the hours that are left out, counted back from now
 */
export async function insertDemoStats({ database, workspace }: ApiWorld, latest = 0): Promise<void> {
  const current = hourOf(new Date()).getTime();
  const hours = Array.from({ length: HOURS }, (_, ago) => {
    const hour = new Date(current - ago * HOUR_MS);
    return { _id: statsId(workspace.id, hour), hour, version: 1, ...countsOf(hour, ago) };
  });
  await database.collections.workspaceStats.insertMany(hours.slice(latest));
}

function countsOf(hour: Date, ago: number) {
  const isBusy = hour.getUTCHours() >= BUSY_HOURS.from && hour.getUTCHours() <= BUSY_HOURS.to;
  const isOutage = ago >= OUTAGE.from && ago < OUTAGE.to;
  const events = (isBusy ? 140 : 70) + ((ago * 37) % 13);
  const lost = isOutage ? Math.round(events / 3) : ago % 11 === 0 ? 2 : 0;
  const middle = latencyBucket(isOutage ? 340 : isBusy ? 62 : 48);
  return {
    delivered: events - lost,
    failed: ago < 3 ? 12 : 0,
    failedPermanent: Math.round(lost / 4),
    deadLettered: lost - Math.round(lost / 4),
    held: ago < 20 ? 14 : 0,
    attempts: events + lost * 3,
    latency: { [middle]: events - 4 - (ago % 3), [middle + 5]: 4 + (ago % 3) },
  };
}
