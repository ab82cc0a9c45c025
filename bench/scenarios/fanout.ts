import { disabled, healthy } from '../environment/population.js';
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
    const [count, together] = [endpoints.toLocaleString('en'), { perWorkspace: endpoints }];
    const run: Measurement['run'] = (environment) => fanOutOnce(environment, endpoints);
    // Two workspaces: one for the warm-up, one to measure.
    return measureDeliveries(context, [
      { label: `one event, ${count} endpoints`, groups: [healthy(QUICK, 2 * endpoints)], ...together, run },
      {
        label: `one event, ${count} disabled endpoints`,
        groups: [disabled(QUICK, 2 * endpoints)],
        ...together,
        run,
      },
    ]);
  },
};
