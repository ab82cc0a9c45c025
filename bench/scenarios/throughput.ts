import { KIB } from '../environment/environment.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { countWithin, type Span, slicesPerSecond } from '../measure/timeline.js';
import type { Figure, Goal } from '../report/row.js';
import { type Context, countOf, type Scenario, secondsOf } from '../scenario.js';
import { firstArrivalsOf, memoryFigure, rateFigure } from './figures.js';
import { observe, WARM_UP_EVENTS, warmUp } from './load.js';

const BURSTS: readonly {
  readonly endpoints: number;
  readonly events: number;
  readonly bodyBytes?: number;
}[] = [
  { endpoints: 1, events: 4_000 },
  { endpoints: 100, events: 40_000 },
  { endpoints: 500, events: 40_000 },
  { endpoints: 100, events: 10_000, bodyBytes: 16 * KIB },
];
/** Deliveries in flight, about a second of work: the dispatcher never waits for the generator, and no backlog grows. */
const WINDOW = 4_000;
const SUSTAINED_ENDPOINTS = 100;
const SLICE_MS = 5_000;
/** On two cores, from event topic to settled row. */
const GOAL = { atLeast: 4_000 };

export const throughput: Scenario = {
  name: 'throughput',
  about: `Bursts, timed to the last settled row, and ${WINDOW} deliveries constantly in flight.`,
  run: (context) =>
    measureDeliveries(context, [
      ...BURSTS.map(({ events, ...setup }) => burst({ ...setup, events: countOf(context, events) })),
      ...[1, 5].map((perWorkspace) => {
        const label = `sustained, ${SUSTAINED_ENDPOINTS} endpoints, each event for ${perWorkspace}`;
        return sustained(context, { label, perWorkspace, seconds: 300, goal: GOAL });
      }),
    ]),
};

function burst({ endpoints, events, bodyBytes = KIB }: (typeof BURSTS)[number]): Measurement {
  const size = bodyBytes === KIB ? '' : `, ${bodyBytes / KIB} KiB`;
  return {
    label: `burst, ${endpoints} ${endpoints === 1 ? 'endpoint' : 'endpoints'}${size}`,
    bodyBytes,
    groups: [healthy('quick', endpoints)],
    async run(environment) {
      await warmUp(environment, Math.min(events, WARM_UP_EVENTS));
      const { span, processes, drainedAt } = await observe(
        environment,
        () => environment.publish({ kind: 'flat-out', events }),
        'drained',
      );
      const rate = rateFigure('deliveries', events, { from: span.from, to: drainedAt });
      return { deliveries: events, processes, figures: () => [rate, memoryFigure(processes)] };
    },
  };
}

interface Sustained extends Pick<Measurement, 'label' | 'perWorkspace' | 'dispatchers'> {
  readonly seconds: number;
  readonly goal?: Goal;
}

/** Measures a constant number of deliveries in flight to 100 endpoints. */
export function sustained(context: Context, { seconds, goal, ...setup }: Sustained): Measurement {
  return {
    ...setup,
    groups: [healthy('quick', SUSTAINED_ENDPOINTS)],
    async run(environment) {
      await warmUp(environment);
      const plan = { kind: 'flat-out', seconds: secondsOf(context, seconds), window: WINDOW } as const;
      const { span, processes, posts } = await observe(environment, () => environment.publish(plan));
      await environment.drained();
      return {
        deliveries: posts,
        processes,
        figures({ records }) {
          const arrivals = firstArrivalsOf(records.values());
          return [
            rateFigure('deliveries', countWithin(arrivals, span), span, goal),
            slowestSliceFigure(arrivals, span),
            memoryFigure(processes),
          ];
        },
      };
    },
  };
}

function slowestSliceFigure(arrivals: readonly number[], span: Span): Figure {
  const slices = slicesPerSecond(arrivals, span, SLICE_MS);
  const value = slices.length === 0 ? null : Math.min(...slices);
  return { name: `slowest ${SLICE_MS / 1_000} s`, unit: '/s', value };
}
