import { type Bench, countOf } from '../bench.js';
import { withEnvironment } from '../environment/with-environment.js';
import type { Row } from '../report/row.js';
import { deliveriesOf, latencyFigures, memoryFigure, rateFigure } from './figures.js';
import { healthy } from './groups.js';
import type { Scenario } from './scenario.js';

const GROUP = 'quick';
const ENDPOINTS = 5_000;
/** One to get warm with, one to measure. */
const WORKSPACES = 2;

export const fanout: Scenario = {
  name: 'fanout',
  about:
    `One event with ${ENDPOINTS.toLocaleString('en')} endpoints that answer at once; an event of another workspace with as ` +
    'many came before. From its timestamp to the POSTs, and to the last settled row.',
  run: async (bench) => [await oneEvent(bench)],
};

function oneEvent(bench: Bench): Promise<Row> {
  const endpoints = countOf(bench, ENDPOINTS);
  const setup = {
    label: `one event, ${endpoints.toLocaleString('en')} endpoints`,
    groups: [healthy(GROUP, endpoints * WORKSPACES)],
    promised: [{ group: GROUP, attempts: 1 }],
    perWorkspace: endpoints,
  };
  return withEnvironment(bench, setup, async (environment) => {
    const one = { kind: 'flat-out', events: 1, seconds: null, window: null } as const;
    await environment.publish({ ...one, workspaces: [0] });
    await environment.drained();
    const meter = environment.measure();
    const published = await environment.publish({ ...one, workspaces: [1] });
    const settledAt = await environment.drained();
    const processes = meter.stop();
    return {
      deliveries: endpoints,
      processes,
      figures: ({ records }) => {
        const deliveries = deliveriesOf(records, published, [GROUP]);
        const from = deliveries[0]?.madeAt ?? Number.NaN;
        return [
          ...latencyFigures(deliveries),
          { name: 'all settled', unit: 'ms', value: settledAt && settledAt - from },
          rateFigure('deliveries', endpoints, { from, to: settledAt }),
          memoryFigure(processes),
        ];
      },
    };
  });
}
