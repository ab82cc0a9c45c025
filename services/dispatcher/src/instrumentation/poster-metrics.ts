import type { Metrics } from '@postrider/shared/metrics/metrics';
import { LOOK_UP_RESULTS, type LookUpResult } from '../ports/poster.js';

/** Counters for the events that the poster reports. */
export function countPosterEvents(metrics: Metrics) {
  const lookUps = metrics.counter('postrider_look_ups_total');
  for (const result of LOOK_UP_RESULTS) lookUps.inc({ result }, 0);
  const resent = metrics.counter('postrider_resent_posts_total');
  return {
    onLookUp: (result: LookUpResult) => lookUps.inc({ result }),
    onResent: () => resent.inc(),
  };
}
