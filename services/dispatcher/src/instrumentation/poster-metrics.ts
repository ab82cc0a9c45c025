import type { Metrics } from '@postrider/shared/metrics/metrics';
import { LOOKUP_RESULTS, type LookupResult } from '../ports/poster.js';

/** Counters for the events that the poster reports. */
export function countPosterEvents(metrics: Metrics) {
  const lookups = metrics.counter('postrider_look_ups_total');
  for (const result of LOOKUP_RESULTS) lookups.inc({ result }, 0);
  const resent = metrics.counter('postrider_resent_posts_total');
  return {
    onLookup: (result: LookupResult) => lookups.inc({ result }),
    onResent: () => resent.inc(),
  };
}
