import type { DeliverySummary } from '@postrider/shared/domain/delivery';
import { isCountable, stepsOfEnd } from '@postrider/shared/domain/delivery-stats';
import type { Platform } from '@postrider/shared/platform/platform';

/** Counts dead-lettered deliveries. Before, each was a failure that waited for its end. */
export function countDeadLetters(
  { add }: Pick<Platform['stats'], 'add'>,
  ended: readonly DeliverySummary[],
  at: Date,
): void {
  for (const delivery of ended) {
    const before = { ...delivery, status: 'failed' as const };
    if (!isCountable(delivery, before)) continue;
    add(delivery, stepsOfEnd(delivery, { before, at }));
  }
}
