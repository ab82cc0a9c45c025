import type { Environment } from '../environment/environment.js';
import { type Group, healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { type Context, countOf, rateOf, type Scenario, secondsOf } from '../scenario.js';
import { namesToResolve } from './crowd-names.js';
import {
  deliveriesOf,
  lagFigure,
  ratioFigure,
  WORST_P99,
  waitingEndpointsFigure,
  worstWindowFigures,
} from './figures.js';
import { observe, publishStreams, type Stream, warmUp } from './load.js';

const ENDPOINTS = 5_000;
const SILENT = 2_000;
/** Deliveries a second to all endpoints together. */
const PER_SECOND = 1_000;
const STREAMS = [{ perSecond: PER_SECOND }];
const SECONDS = 60;
/** Enough for each endpoint to have answered. */
const SETTLE_SECONDS = 15;
const QUICK = 'quick';
const CROWD = 'crowd';

export const crowd: Scenario = {
  name: 'crowd',
  about: `${ENDPOINTS.toLocaleString('en')} endpoints, of which ${SILENT.toLocaleString('en')} fall silent at once, and names that do not resolve.`,
  run(context) {
    const silent = countOf(context, SILENT);
    const others = countOf(context, ENDPOINTS - SILENT);
    const groups: Group[] = [
      healthy(QUICK, others),
      { name: CROWD, count: silent, place: {}, expected: null },
    ];
    return measureDeliveries(context, [
      ...[false, true].flatMap((isAfterRestart) => {
        const suffix = isAfterRestart ? ', after a restart' : '';
        const row = { groups, ...(isAfterRestart && { resends: 'allowed' as const }) };
        const [label, baseline] = [`${silent.toLocaleString('en')} fall silent`, 'none silent'];
        return [
          {
            ...row,
            label: `${baseline}${suffix}`,
            run: silence(context, { streams: STREAMS, falls: false, isAfterRestart }),
          },
          {
            ...row,
            label: `${label}${suffix}`,
            baseline: `${baseline}${suffix}`,
            run: silence(context, { streams: STREAMS, falls: true, isAfterRestart }),
          },
        ];
      }),
      ...oneWorkspace(context, silent, others),
      ...namesToResolve(context),
    ]);
  },
};

/** A crowd of one workspace, which gets as many deliveries as one whose endpoints have a workspace each. */
function oneWorkspace(context: Context, silent: number, others: number): Measurement[] {
  const groups: Group[] = [
    healthy(QUICK, others),
    { name: CROWD, count: silent, place: {}, sharedWorkspace: true, expected: null },
  ];
  const course = { streams: sharedStreams(silent), isAfterRestart: false };
  const baseline = 'one workspace, none silent';
  return [
    { label: baseline, groups, run: silence(context, { ...course, falls: false }) },
    {
      label: `one workspace, ${silent.toLocaleString('en')} fall silent`,
      baseline,
      groups,
      run: silence(context, { ...course, falls: true }),
    },
  ];
}

/** Streams with as many deliveries for each endpoint as with a workspace each. */
export function sharedStreams(silent: number): Stream[] {
  const ofCrowd = (PER_SECOND * SILENT) / ENDPOINTS;
  return [
    { group: QUICK, perSecond: PER_SECOND - ofCrowd },
    { group: CROWD, perSecond: ofCrowd / silent },
  ];
}

interface Course {
  readonly streams: readonly Stream[];
  /** Whether the crowd falls silent. */
  readonly falls: boolean;
  /** Whether the dispatcher is restarted meanwhile. */
  readonly isAfterRestart: boolean;
}

/** Observes from the moment of the silence on, or from a restart some seconds later. */
function silence(context: Context, { streams, falls, isAfterRestart }: Course): Measurement['run'] {
  const settle = { seconds: secondsOf(context, SETTLE_SECONDS) };
  const seconds = secondsOf(context, SECONDS);
  return async (environment, baseline) => {
    await warmUp(environment);
    await publishStreams(environment, streams, settle);
    if (falls) await environment.receiver.calls.change(CROWD, { silent: true });
    if (isAfterRestart) {
      await publishStreams(environment, streams, settle);
      await restartDispatcher(environment);
    }
    const observed = await observe(environment, () => publishStreams(environment, streams, { seconds }));
    await environment.drained();
    const { published, processes, span } = observed;
    return {
      deliveries: rateOf(context, PER_SECOND) * seconds,
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
