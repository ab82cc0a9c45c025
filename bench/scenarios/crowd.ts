import type { Environment } from '../environment/environment.js';
import { type Group, healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { type Context, countOf, type Scenario, secondsOf } from '../scenario.js';
import {
  deliveriesOf,
  lagFigure,
  ratioFigure,
  WORST_P99,
  waitingEndpointsFigure,
  worstWindowFigures,
} from './figures.js';
import { comparedFigures, observe, publishStreams, type Stream, WARM_UP_EVENTS, warmUp } from './load.js';

const ENDPOINTS = 5_000;
const SILENT = 2_000;
const STREAMS = [{ perSecond: 1_000 }];
const SECONDS = 60;
/** Enough for each endpoint to have answered. */
const SETTLE_SECONDS = 15;
const NAMED = 500;
const UNRESOLVABLE = 600;
const QUICK = 'quick';
const CROWD = 'crowd';
const LOST = 'lost';
const WARM = 'warm';
const NAMED_STREAM = { group: QUICK, perSecond: 500 };
const LOST_STREAM = { group: LOST, perSecond: 300 };
const LIMITS = { keepsRate: 0.98, timesP99: 2 };

export const crowd: Scenario = {
  name: 'crowd',
  about: `${ENDPOINTS.toLocaleString('en')} endpoints, of which ${SILENT.toLocaleString('en')} fall silent, and ${UNRESOLVABLE} names that do not resolve.`,
  run(context) {
    const silent = countOf(context, SILENT);
    const others = countOf(context, ENDPOINTS - SILENT);
    const groups: Group[] = [
      healthy(QUICK, others),
      { name: CROWD, count: silent, place: {}, expected: null },
    ];
    // The warm-up leaves the names unknown.
    const named = [healthy(WARM, 100), { ...healthy(QUICK, NAMED), named: true }];
    const lost: Group = { name: LOST, count: UNRESOLVABLE, place: 'unresolvable', expected: null };
    return measureDeliveries(context, [
      ...[false, true].flatMap((isAfterRestart) => {
        const suffix = isAfterRestart ? ', after a restart' : '';
        const row = { groups, ...(isAfterRestart && { resends: 'allowed' as const }) };
        const [label, baseline] = [`${silent.toLocaleString('en')} fall silent`, 'none silent'];
        return [
          { ...row, label: `${baseline}${suffix}`, run: silence(context, { falls: false, isAfterRestart }) },
          {
            ...row,
            label: `${label}${suffix}`,
            baseline: `${baseline}${suffix}`,
            run: silence(context, { falls: true, isAfterRestart }),
          },
        ];
      }),
      { label: 'names, all resolve', groups: named, run: names(context, [NAMED_STREAM]) },
      {
        label: `names, ${UNRESOLVABLE} more do not resolve`,
        baseline: 'names, all resolve',
        groups: [...named, lost],
        run: names(context, [NAMED_STREAM, LOST_STREAM]),
      },
    ]);
  },
};

interface Course {
  /** Whether the crowd falls silent. */
  readonly falls: boolean;
  /** Whether the dispatcher is restarted meanwhile. */
  readonly isAfterRestart: boolean;
}

/** Observes from the moment of the silence on, or from a restart some seconds later. */
function silence(context: Context, { falls, isAfterRestart }: Course): Measurement['run'] {
  const settle = { seconds: secondsOf(context, SETTLE_SECONDS) };
  return async (environment, baseline) => {
    await warmUp(environment);
    await publishStreams(environment, STREAMS, settle);
    if (falls) await environment.receiver.calls.change(CROWD, { silent: true });
    if (isAfterRestart) {
      await publishStreams(environment, STREAMS, settle);
      await restartDispatcher(environment);
    }
    const observed = await observe(environment, () =>
      publishStreams(environment, STREAMS, { seconds: secondsOf(context, SECONDS) }),
    );
    await environment.drained();
    const { published, processes, span } = observed;
    return {
      deliveries: published.events,
      processes,
      figures({ records }) {
        const deliveries = deliveriesOf(records, published, [QUICK]);
        const figures = worstWindowFigures(deliveries, span);
        return [
          ...figures,
          waitingEndpointsFigure(deliveries),
          ...(falls ? [ratioFigure('times p99', WORST_P99, { figures, baseline }, { atMost: 3 })] : []),
          lagFigure(published),
        ];
      },
    };
  };
}

async function restartDispatcher({ services, stop, start }: Environment): Promise<void> {
  const [old] = services;
  if (old === undefined) throw new Error('no dispatcher is running');
  await stop(old);
  await start('dispatcher');
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
