import { healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import type { Goal } from '../report/row.js';
import { type Context, countOf, type Scenario } from '../scenario.js';
import { blockFigures, memoryFigure, rateFigure } from './figures.js';

const ENDPOINTS = 500;
const MEMORY_GOAL = { atMost: 400 };

interface Waiting {
  readonly count: number;
  readonly what: 'deliveries' | 'events';
  readonly endpoints?: number;
  readonly goals?: { readonly seconds?: Goal; readonly blockMs?: Goal };
}

const WAITING: readonly Waiting[] = [
  { count: 10_000, what: 'deliveries', goals: { seconds: { atMost: 4 } } },
  { count: 100_000, what: 'deliveries' },
  { count: 10_000, what: 'events' },
  { count: 100_000, what: 'events' },
  { count: 1_000_000, what: 'deliveries', endpoints: 20_000, goals: { blockMs: { atMost: 50 } } },
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

function drain(context: Context, { count, what, endpoints = ENDPOINTS, goals }: Waiting): Measurement {
  const events = countOf(context, count);
  const of = endpoints === ENDPOINTS ? '' : `, ${endpoints.toLocaleString('en')} endpoints`;
  return {
    label: `${events.toLocaleString('en')} ${what}${of}`,
    groups: [healthy('quick', endpoints)],
    dispatchers: 0,
    measureBlocks: true,
    async run(environment) {
      await environment.publish({ kind: what === 'deliveries' ? 'backlog' : 'flat-out', events });
      const meter = environment.measure();
      const dispatcher = await environment.start('dispatcher');
      const from = await environment.joinedAt();
      await environment.longestBlock(dispatcher);
      const to = await environment.drained();
      const processes = meter.stop();
      const longest = await environment.longestBlock(dispatcher);
      const seconds = to === null ? null : (to - from) / 1_000;
      return {
        deliveries: events,
        processes,
        figures: () => [
          { name: 'drained after', unit: 's', value: seconds, goal: goals?.seconds },
          rateFigure('deliveries', events, { from, to }),
          memoryFigure(processes, MEMORY_GOAL),
          ...blockFigures(longest, goals?.blockMs),
        ],
      };
    },
  };
}
