import { type Group, healthy } from '../environment/population.js';
import type { Measurement } from '../environment/run-measurement.js';
import { type Context, secondsOf } from '../scenario.js';
import { lagFigure } from './figures.js';
import { comparedFigures, observe, publishStreams, type Stream, WARM_UP_EVENTS, warmUp } from './load.js';

const SECONDS = 60;
const NAMED = 500;
const UNRESOLVABLE = 600;
const QUICK = 'quick';
const LOST = 'lost';
const WARM = 'warm';
const NAMED_STREAM = { group: QUICK, perSecond: 500 };
const LOST_STREAM = { group: LOST, perSecond: 300 };
const LIMITS = { keepsRate: 0.98, timesP99: 2 };

/** Names that no dispatcher has looked up before, alone and beside names that do not resolve. */
export function namesToResolve(context: Context): Measurement[] {
  // The warm-up leaves the names unknown.
  const named = [healthy(WARM, 100), { ...healthy(QUICK, NAMED), named: true }];
  const lost: Group = { name: LOST, count: UNRESOLVABLE, place: 'unresolvable', expected: null };
  const baseline = 'names, all resolve';
  return [
    { label: baseline, groups: named, run: names(context, [NAMED_STREAM]) },
    {
      label: `names, ${UNRESOLVABLE} more do not resolve`,
      baseline,
      groups: [...named, lost],
      run: names(context, [NAMED_STREAM, LOST_STREAM]),
    },
  ];
}

/** Observes from the first event to an endpoint with a name on. */
function names(context: Context, streams: readonly Stream[]): Measurement['run'] {
  return async (environment, baseline) => {
    await warmUp(environment, WARM_UP_EVENTS, WARM);
    const observed = await observe(environment, () =>
      publishStreams(environment, streams, { seconds: secondsOf(context, SECONDS) }),
    );
    await environment.drained();
    const { published, processes } = observed;
    const shown = { ...observed, baseline, groups: [QUICK], limits: LIMITS };
    return {
      deliveries: published.events,
      processes,
      figures: (evidence) => [...comparedFigures({ ...shown, ...evidence }), lagFigure(published)],
    };
  };
}
