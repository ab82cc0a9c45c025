import { healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario } from '../scenario.js';
import { fanOutOnce, QUICK } from './fan-out-once.js';

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
        groups: [healthy(QUICK, 2 * endpoints)],
        perWorkspace: endpoints,
        run: (environment) => fanOutOnce(environment, endpoints),
      },
    ]);
  },
};
