import { type Context, countOf, secondsOf } from '../context.js';
import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Goal } from '../report/row.js';
import type { Scenario } from '../scenario.js';
import { memoryFigure, rateFigure } from './figures.js';

const ENDPOINTS = healthy('quick', 500);
const MEMORY_GOAL = { atMost: 400 };
/** Longer than any measurement: nothing becomes due. */
const FAR_STEP = { text: '6h', ms: 6 * 60 * 60 * 1_000 };
const NOT_DUE = 500_000;
const WATCH_SECONDS = 30;

interface Waiting {
  readonly count: number;
  readonly what: 'deliveries' | 'events';
  readonly goal?: Goal;
}

const WAITING: readonly Waiting[] = [
  { count: 10_000, what: 'deliveries', goal: { atMost: 4 } },
  { count: 100_000, what: 'deliveries' },
  { count: 10_000, what: 'events' },
  { count: 100_000, what: 'events' },
];

export const backlog: Scenario = {
  name: 'backlog',
  about: 'Deliveries, events or retries are waiting when a dispatcher starts.',
  run: (context) =>
    measureDeliveries(context, [...WAITING.map((one) => drain(context, one)), notDue(context)]),
};

function drain(context: Context, { count, what, goal }: Waiting): Measurement {
  const events = countOf(context, count);
  return {
    label: `${events.toLocaleString('en')} ${what}`,
    groups: [ENDPOINTS],
    dispatchers: 0,
    async run(environment) {
      await environment.publish({ kind: what === 'deliveries' ? 'backlog' : 'flat-out', events });
      const meter = environment.measure();
      await environment.start('dispatcher');
      const from = await environment.joinedAt();
      const to = await environment.drained();
      const processes = meter.stop();
      const seconds = to === null ? null : (to - from) / 1_000;
      return {
        deliveries: events,
        processes,
        figures: () => [
          { name: 'drained after', unit: 's', value: seconds, goal },
          rateFigure('deliveries', events, { from, to }),
          memoryFigure(processes, MEMORY_GOAL),
        ],
      };
    },
  };
}

/** Measures the memory that retries take while they wait. */
function notDue(context: Context): Measurement {
  const events = countOf(context, NOT_DUE);
  return {
    label: `${events.toLocaleString('en')} retries, not yet due`,
    groups: [{ ...ENDPOINTS, expected: null }],
    dispatchers: 0,
    env: { RETRY_STEP: FAR_STEP.text },
    async run(environment) {
      await environment.publish({ kind: 'backlog', events, retryStepMs: FAR_STEP.ms });
      const meter = environment.measure();
      await environment.start('dispatcher');
      await environment.pause(secondsOf(context, WATCH_SECONDS) * 1_000);
      const processes = meter.stop();
      const early = environment.posts();
      return {
        deliveries: events,
        processes,
        problems: early === 0 ? [] : [`${early} POSTs were made hours before they were due`],
        figures: () => [memoryFigure(processes, MEMORY_GOAL)],
      };
    },
  };
}
