import { healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario } from '../scenario.js';
import { deliveriesOf, latencyFigures, memoryFigure, rateFigure } from './figures.js';
import { observe } from './load.js';

const ENDPOINTS = 5_000;

export const fanout: Scenario = {
  name: 'fanout',
  about: `One event for ${ENDPOINTS.toLocaleString('en')} endpoints, timed to the POSTs and to the last settled row.`,
  run(context) {
    const endpoints = countOf(context, ENDPOINTS);
    return measureDeliveries(context, [
      {
        label: `one event, ${endpoints.toLocaleString('en')} endpoints`,
        // Two workspaces: one for the warm-up, one to measure.
        groups: [healthy('quick', 2 * endpoints)],
        perWorkspace: endpoints,
        async run(environment) {
          const one = { kind: 'flat-out', events: 1 } as const;
          await environment.publish({ ...one, workspaces: [0] });
          await environment.drained();
          const { published, processes, drainedAt } = await observe(
            environment,
            () => environment.publish({ ...one, workspaces: [1] }),
            'drained',
          );
          return {
            deliveries: endpoints,
            processes,
            figures({ records }) {
              const deliveries = deliveriesOf(records, published, ['quick']);
              const from = deliveries[0]?.createdAt ?? Number.NaN;
              return [
                ...latencyFigures(deliveries),
                { name: 'all settled', unit: 'ms', value: drainedAt && drainedAt - from },
                rateFigure('deliveries', endpoints, { from, to: drainedAt }),
                memoryFigure(processes),
              ];
            },
          };
        },
      },
    ]);
  },
};
