import { encodeCursor } from '@postrider/shared/domain/page';
import { type ApiStage, type Question, withApi } from '../api/with-api.js';
import { type Bench, countOf, isWanted, secondsOf } from '../bench.js';
import type { Row } from '../report/row.js';
import type { Scenario } from './scenario.js';

const STORED = { endpoints: 10, deliveries: 1_000_000 };
const CLIENTS = 4;
/** Two recounts of the overview are among them. */
const SECONDS = 40;
const P95_AT_MOST_MS = 50;

export const reads: Scenario = {
  name: 'reads',
  about:
    `One api process, ${CLIENTS} clients, and ${STORED.deliveries.toLocaleString('en')} deliveries with an attempt each, ` +
    'all of one workspace and of the last 24 hours, nine of ten of one endpoint.',
  run: (bench) =>
    withApi(bench, { ...STORED, deliveries: countOf(bench, STORED.deliveries) }, async (environment) => {
      const rows: Row[] = [];
      for (const question of await questions(bench, environment)) {
        if (isWanted(bench, question.label)) rows.push(await environment.measure(question));
      }
      return rows;
    }),
};

async function questions(bench: Bench, environment: ApiStage): Promise<Question[]> {
  const { slug, endpointIds } = environment.workspace;
  const [busy = ''] = endpointIds;
  const root = `/workspaces/${slug}`;
  const half = await idAt(environment, busy, 0.5);
  const deep = await idAt(environment, busy, 0.99);
  const page = (after?: string, filter = '') => {
    const cursor = after === undefined ? '' : `&cursor=${encodeCursor(`deliveries ${busy}`, [after])}`;
    return `/webhooks/${busy}/deliveries?limit=50${cursor}${filter}`;
  };
  const paths = {
    'first page of deliveries': page(),
    'page in the middle': page(half),
    'page near the end': page(deep),
    'only failed': page(undefined, '&status=failed'),
    'only pending': page(undefined, '&status=pending'),
    'only delivered, near the end': page(deep, '&status=delivered'),
    'attempts of one': `/webhooks/deliveries/${half}/attempts`,
    overview: '/overview',
  };
  const usual = { clients: CLIENTS, seconds: secondsOf(bench, SECONDS), p95AtMostMs: P95_AT_MOST_MS };
  return Object.entries(paths).map(([label, path]) => {
    const asked = { method: 'GET', path: `${root}${path}`, status: 200 } as const;
    return { ...usual, label, ask: () => asked };
  });
}

/** The delivery of an endpoint that so much of its history is newer than. @param depth 0 for the newest, 1 for the oldest */
async function idAt({ world }: ApiStage, endpointId: string, depth: number): Promise<string> {
  const { deliveries } = world.database.collections;
  const count = await deliveries.countDocuments({ endpointId });
  const [found] = await deliveries
    .find({ endpointId }, { projection: { _id: 1 } })
    .sort({ _id: -1 })
    .skip(Math.floor((count - 1) * depth))
    .limit(1)
    .toArray();
  return found?._id ?? '';
}
