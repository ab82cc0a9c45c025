import { type ApiStage, type Question, withApi } from '../api/with-api.js';
import { type Bench, countOf, isWanted, secondsOf } from '../bench.js';
import type { Row } from '../report/row.js';
import type { Scenario } from './scenario.js';

const STORED = { endpoints: 10, deliveries: 10_000 };
const CLIENTS = 16;
const SECONDS = 20;

export const api: Scenario = {
  name: 'api',
  about: `One api process without rate limits, ${CLIENTS} clients that ask one thing over and over.`,
  run: (bench) =>
    withApi(bench, { ...STORED, deliveries: countOf(bench, STORED.deliveries) }, async (environment) => {
      const rows: Row[] = [];
      for (const question of await questions(bench, environment)) {
        if (isWanted(bench, question.label)) rows.push(await environment.measure(question));
      }
      return rows;
    }),
};

async function questions(bench: Bench, { world, workspace }: ApiStage): Promise<Question[]> {
  const root = `/workspaces/${workspace.slug}`;
  const [busy] = workspace.endpointIds;
  const some = await world.database.collections.deliveries
    .find({ endpointId: `${busy}` }, { projection: { _id: 1 }, limit: 1_000 })
    .toArray();
  const usual = { clients: CLIENTS, seconds: secondsOf(bench, SECONDS) };
  const get = (path: string) => ({ method: 'GET', path: `${root}${path}`, status: 200 }) as const;
  const page = get(`/webhooks/${busy}/deliveries?limit=50`);
  const overview = get('/overview');
  const create = JSON.stringify({
    url: 'https://hooks.example.com/new',
    eventTypes: ['billing.plan_changed'],
  });
  const creation = { method: 'POST', path: `${root}/webhooks`, body: create, status: 201 } as const;
  return [
    { ...usual, label: 'a page of 50 deliveries', atLeastPerSecond: 500, ask: () => page },
    {
      ...usual,
      label: 'one delivery',
      atLeastPerSecond: 1_000,
      ask: (number) => get(`/webhooks/deliveries/${some[number % some.length]?._id}`),
    },
    { ...usual, label: 'the overview', ask: () => overview },
    // Last, because it makes the workspace larger.
    { ...usual, label: 'create a webhook', atLeastPerSecond: 400, ask: () => creation },
  ];
}
