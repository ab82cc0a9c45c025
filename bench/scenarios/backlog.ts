import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Goal } from '../report/row.js';
import { type Context, countOf, type Scenario } from '../scenario.js';
import { memoryFigure, rateFigure } from './figures.js';

const ENDPOINTS = healthy('quick', 500);
const MEMORY_GOAL = { atMost: 400 };

const WAITING: readonly { count: number; what: 'deliveries' | 'events'; goal?: Goal }[] = [
  { count: 10_000, what: 'deliveries', goal: { atMost: 4 } },
  { count: 100_000, what: 'deliveries' },
  { count: 10_000, what: 'events' },
  { count: 100_000, what: 'events' },
];

export const backlog: Scenario = {
  name: 'backlog',
  about: 'Deliveries or events are waiting when a dispatcher starts.',
  run: (context) =>
    measureDeliveries(
      context,
      WAITING.map((one) => drain(context, one)),
    ),
};

function drain(context: Context, { count, what, goal }: (typeof WAITING)[number]): Measurement {
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
