import { type ApiMeasurement, measureApi } from '../api/measure-api.js';
import type { StoredWorkspace } from '../api/workspace.js';
import type { Namespace } from '../environment/namespace.js';
import { countOf, type Scenario } from '../scenario.js';

const DELIVERIES = 10_000;
const CLIENTS = 16;

export const api: Scenario = {
  name: 'api',
  about: `One api process without rate limits, ${CLIENTS} clients that repeat one request.`,
  run: (context) =>
    measureApi(context, {
      deliveries: countOf(context, DELIVERIES),
      clients: CLIENTS,
      seconds: 20,
      measurements,
    }),
};

async function measurements(
  { database }: Namespace,
  { slug, endpointIds: [busy] }: StoredWorkspace,
): Promise<ApiMeasurement[]> {
  const root = `/workspaces/${slug}`;
  const some = await database.collections.deliveries
    .find({ endpointId: `${busy}` }, { projection: { _id: 1 }, limit: 1_000 })
    .toArray();
  const get = (path: string) => ({ method: 'GET', path: `${root}${path}`, status: 200 }) as const;
  const url = 'https://hooks.example.com/new';
  const body = JSON.stringify({ url, eventTypes: ['billing.plan_changed'] });
  return [
    {
      label: 'a page of 50 deliveries',
      goal: { atLeast: 500 },
      request: () => get(`/webhooks/${busy}/deliveries?limit=50`),
    },
    {
      label: 'one delivery',
      goal: { atLeast: 1_000 },
      request: (number) => get(`/webhooks/deliveries/${some[number % some.length]?._id}`),
    },
    { label: 'the overview', request: () => get('/overview') },
    // Last, because it makes the workspace larger.
    {
      label: 'create a webhook',
      goal: { atLeast: 400 },
      request: () => ({ method: 'POST', path: `${root}/webhooks`, body, status: 201 }),
    },
  ];
}
