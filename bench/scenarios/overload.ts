import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { type Context, type Scenario, secondsOf } from '../scenario.js';
import { lagFigure, memoryFigure } from './figures.js';
import { comparedFigures, latencyOf, observe, publishStreams, warmUp } from './load.js';

const GROUPS = [healthy('quick', 499, 1), healthy('hot', 1, 100)];
const QUICK = { group: 'quick', perSecond: 500 };
/** Four POSTs at a time of a tenth of a second each: its capacity is 40 a second. */
const HOT = { group: 'hot', perSecond: 400 };
const SECONDS = 300;
const BASELINE = 'no overload';
const LIMITS = { keepsRate: 0.98, timesP99: 2 };

export const overload: Scenario = {
  name: 'overload',
  about: 'Latency of 499 endpoints while one receives ten times what it can take; then its backlog drains.',
  run(context) {
    // A fifth of the time is enough for a baseline.
    const load = { streams: [QUICK], seconds: secondsOf(context, SECONDS / 5), groups: [QUICK.group] };
    const baseline = { label: BASELINE, groups: GROUPS, run: latencyOf(load) };
    return measureDeliveries(context, [baseline, withOverload(context)]);
  },
};

function withOverload(context: Context): Measurement {
  return {
    label: 'one at ten times its capacity',
    baseline: BASELINE,
    groups: GROUPS,
    async run(environment, baseline) {
      await warmUp(environment);
      const seconds = secondsOf(context, SECONDS);
      const observed = await observe(environment, () =>
        publishStreams(environment, [QUICK, HOT], { seconds }),
      );
      const { published, span, processes, posts } = observed;
      await environment.receiver.calls.change(HOT.group, {});
      const drainedAt = await environment.drained();
      return {
        deliveries: posts,
        processes,
        figures: (evidence) => [
          ...comparedFigures({ ...observed, ...evidence, baseline, groups: [QUICK.group], limits: LIMITS }),
          { name: 'backlog drained', unit: 's', value: drainedAt && (drainedAt - span.to) / 1_000 },
          lagFigure(published),
          memoryFigure(processes),
        ],
      };
    },
  };
}
