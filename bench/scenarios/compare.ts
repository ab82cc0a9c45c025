import { KIB } from '../environment/environment.js';
import { type Group, healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { countWithin } from '../measure/timeline.js';
import type { Goal } from '../report/row.js';
import { type Context, countOf, type Scenario, secondsOf } from '../scenario.js';
import {
  deliveriesOf,
  firstArrivalsOf,
  type Goals,
  latencyFigures,
  rateFigure,
  stackCpuFigure,
} from './figures.js';
import { LATENCY_AT_100, STACK_CPU } from './goals.js';
import { idleMeasurement } from './idle.js';
import { observe, publishStreams, WARM_UP_EVENTS, warmUp } from './load.js';

const ENDPOINTS = 100;
const BURST = 10_000;
const SECONDS = 60;
const SETTLE_SECONDS = 15;
const SLOW = { delayMs: 9_000 };

interface SteadyGoals {
  readonly rate?: Goal;
  readonly latency?: Goals;
  /** The CPU of the stack for each delivery. */
  readonly cpu?: Goal;
}

interface SizeGoals {
  readonly toOne?: Goal;
  readonly toMany?: Goal;
  readonly steady?: SteadyGoals;
}

const SIZES: readonly { readonly bodyBytes: number; readonly suffix: string; readonly goals: SizeGoals }[] = [
  {
    bodyBytes: KIB,
    suffix: '',
    goals: {
      toOne: { atLeast: 3_500 },
      toMany: { atLeast: 5_500 },
      steady: { latency: LATENCY_AT_100, cpu: STACK_CPU[100] },
    },
  },
  { bodyBytes: 16 * KIB, suffix: ', 16 KiB', goals: {} },
];
const AT_10: SteadyGoals = { latency: { p50: { atMost: 6 }, p95: { atMost: 8 } }, cpu: STACK_CPU[10] };
const ONE_AT_500: SteadyGoals = {
  latency: { p50: { atMost: 10 }, p95: { atMost: 25 } },
  cpu: STACK_CPU[500],
};
/** 120 a second, rounded: the measured time is some milliseconds longer than that in which events are due. */
const KEEPS_120: SteadyGoals = { rate: { atLeast: 119.5 } };

export const compare: Scenario = {
  name: 'compare',
  about:
    'The loads that other systems can be measured with, too: one and a hundred endpoints, slow ones, and none.',
  run(context) {
    const rows = SIZES.flatMap(({ bodyBytes, suffix, goals: { toOne, toMany, steady: goals } }) => [
      { ...burst(context, `burst, one endpoint${suffix}`, { endpoints: 1, goal: toOne }), bodyBytes },
      {
        ...burst(context, `burst, ${ENDPOINTS} endpoints${suffix}`, { endpoints: ENDPOINTS, goal: toMany }),
        bodyBytes,
      },
      { ...steady(context, `100 a second${suffix}`, { perSecond: 100, goals }), bodyBytes },
    ]);
    return measureDeliveries(context, [
      ...rows,
      steady(context, '10 a second', { perSecond: 10, goals: AT_10 }),
      steady(context, '500 a second, one endpoint', { perSecond: 500, endpoints: 1, goals: ONE_AT_500 }),
      steady(context, '200 a second, 20 % slow', { perSecond: 200, slow: 20 }),
      steady(context, '200 a second, 40 % slow', { perSecond: 200, slow: 40, goals: KEEPS_120 }),
      { ...idleMeasurement(context), label: 'idle' },
    ]);
  },
};

interface Burst {
  readonly endpoints: number;
  readonly goal?: Goal | undefined;
}

function burst(context: Context, label: string, { endpoints, goal }: Burst): Measurement {
  const events = countOf(context, BURST);
  return {
    label,
    groups: [healthy('quick', endpoints)],
    async run(environment) {
      await warmUp(environment, Math.min(events, WARM_UP_EVENTS));
      const publish = () => environment.publish({ kind: 'flat-out', events });
      const { span, processes, drainedAt } = await observe(environment, publish, 'drained');
      const rate = rateFigure('deliveries', events, { from: span.from, to: drainedAt }, goal);
      return { deliveries: events, processes, figures: () => [rate, stackCpuFigure(processes, events)] };
    },
  };
}

interface Steady {
  readonly perSecond: number;
  readonly endpoints?: number;
  /** The number of endpoints that answer after 9 s. */
  readonly slow?: number;
  readonly goals?: SteadyGoals | undefined;
}

/** The rate and latency of the endpoints that are not slow. */
function steady(
  context: Context,
  label: string,
  { perSecond, endpoints = ENDPOINTS, slow = 0, goals = {} }: Steady,
): Measurement {
  const unhealthy: Group = { name: 'slow', count: slow, place: SLOW, expected: null };
  const streams = [{ perSecond }];
  return {
    label,
    groups: [healthy('quick', endpoints - slow), ...(slow > 0 ? [unhealthy] : [])],
    async run(environment) {
      await warmUp(environment);
      if (slow > 0)
        await publishStreams(environment, streams, { seconds: secondsOf(context, SETTLE_SECONDS) });
      const seconds = secondsOf(context, SECONDS);
      const { published, span, processes } = await observe(environment, () =>
        publishStreams(environment, streams, { seconds }),
      );
      await environment.drained();
      return {
        deliveries: published.events,
        processes,
        figures({ records }) {
          const quick = deliveriesOf(records, published, ['quick']);
          const arrived = countWithin(firstArrivalsOf(quick), span);
          return [
            rateFigure('quick deliveries', arrived, span, goals.rate),
            ...latencyFigures(quick, goals.latency),
            stackCpuFigure(processes, published.events, goals.cpu),
          ];
        },
      };
    },
  };
}
