import { type ApiMeasurement, measureApi } from '../api/measure-api.js';
import type { StoredWorkspace } from '../api/workspace.js';
import type { Namespace } from '../environment/namespace.js';
import { healthy } from '../environment/population.js';
import { measureDeliveries } from '../environment/run-measurement.js';
import { countOf, type Scenario } from '../scenario.js';
import { fanOutOnce, QUICK } from './fan-out-once.js';

const ENDPOINTS = 100_000;
const DELIVERIES = 200_000;
const CLIENTS = 4;

export const largeWorkspace: Scenario = {
  name: 'large-workspace',
  about: `A workspace with ${ENDPOINTS.toLocaleString('en')} endpoints: reads through the api, and an event for all of them.`,
  async run(context) {
    const endpoints = countOf(context, ENDPOINTS);
    const reads = await measureApi(context, {
      endpoints,
      deliveries: countOf(context, DELIVERIES),
      clients: CLIENTS,
      seconds: 20,
      goals: { p95: { atMost: 100 } },
      measurements,
    });
    const events = await measureDeliveries(context, [
      {
        label: `one event, ${endpoints.toLocaleString('en')} endpoints`,
        // Two workspaces: one for the warm-up, one to measure.
        groups: [healthy(QUICK, 2 * endpoints)],
        perWorkspace: endpoints,
        run: (environment) => fanOutOnce(environment, endpoints, { memoryGoal: { atMost: 400 } }),
      },
    ]);
    return [...reads, ...events];
  },
};

async function measurements(_namespace: Namespace, { slug }: StoredWorkspace): Promise<ApiMeasurement[]> {
  const paths = {
    overview: '/overview',
    'first page of endpoints': '/webhooks?limit=50',
    'first page of deliveries': '/webhooks/deliveries?limit=50',
    'counters of the last day': '/stats',
  };
  return Object.entries(paths).map(([label, path]) => ({
    label,
    request: () => ({ method: 'GET', path: `/workspaces/${slug}${path}`, status: 200 }),
  }));
}
