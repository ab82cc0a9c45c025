import { disabled, type Group, healthy } from '../environment/population.js';
import { type Measurement, measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario } from '../scenario.js';
import { fanOutOnce, QUICK } from './fan-out-once.js';

const ENDPOINTS = 5_000;

export const fanout: Scenario = {
  name: 'fanout',
  about:
    `One event for ${ENDPOINTS.toLocaleString('en')} endpoints, timed to the POSTs and to the last settled row; and one for as many ` +
    'disabled endpoints, each of which is held.',
  run(context) {
    const endpoints = countOf(context, ENDPOINTS);
    const once = (what: string, groupOf: (name: string, count: number) => Group): Measurement => ({
      label: `one event, ${endpoints.toLocaleString('en')} ${what}`,
      // Two workspaces: one for the warm-up, one to measure.
      groups: [groupOf(QUICK, 2 * endpoints)],
      perWorkspace: endpoints,
      run: (environment) => fanOutOnce(environment, endpoints),
    });
    return measureDeliveries(context, [once('endpoints', healthy), once('disabled endpoints', disabled)]);
  },
};
