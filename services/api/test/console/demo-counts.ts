import { stepsOfRow } from '@postrider/shared/domain/delivery-stats';
import { addSteps, type HourCounts } from '@postrider/shared/domain/stat-hours';
import { createAddStats } from '@postrider/shared/mongo/stats-store';
import type { OwnedCounts } from '@postrider/shared/ports/delivery-stats';
import type { ApiWorld } from '../api-world.js';
import type { DemoRow } from './demo-data.js';

/** Counts the rows as the janitor recounts them, so that no page contradicts another. */
export async function insertDemoCounts(
  { database, workspace }: ApiWorld,
  rows: readonly DemoRow[],
): Promise<void> {
  const counts = new Map<string, Map<number, HourCounts>>();
  for (const { row, records } of rows) {
    const steps = stepsOfRow(row, records);
    for (const owner of [workspace.id, row.endpointId]) {
      const hours = counts.get(owner) ?? new Map<number, HourCounts>();
      counts.set(owner, hours);
      addSteps(hours, steps);
    }
  }
  const owned = [...counts].flatMap(([owner, hours]) =>
    [...hours.values()].map((hour) => ({ owner, ...hour }) as OwnedCounts<never>),
  );
  await createAddStats(database.collections)({
    endpoints: owned.filter(({ owner }) => owner !== workspace.id),
    workspaces: owned.filter(({ owner }) => owner === workspace.id),
  });
}
