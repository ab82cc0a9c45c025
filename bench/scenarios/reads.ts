import { asId } from '@postrider/shared/domain/id';
import { encodeCursor } from '@postrider/shared/domain/page';
import { type ApiMeasurement, measureApi } from '../api/measure-api.js';
import type { StoredWorkspace } from '../api/workspace.js';
import type { Namespace } from '../environment/namespace.js';
import { countOf, type Scenario } from '../scenario.js';

const DELIVERIES = 1_000_000;
const CLIENTS = 4;
/** Deliveries that are searched for, in turn. */
const SAMPLES = 1_000;

export const reads: Scenario = {
  name: 'reads',
  about: `One api process with ${DELIVERIES.toLocaleString('en')} stored deliveries, ${CLIENTS} clients.`,
  run: (context) =>
    measureApi(context, {
      deliveries: countOf(context, DELIVERIES),
      clients: CLIENTS,
      // Includes two recounts of the overview.
      seconds: 40,
      goals: { p95: { atMost: 50 } },
      measurements,
    }),
};

async function measurements(
  namespace: Namespace,
  { slug, endpointIds: [busy = asId('endpoint', '')] }: StoredWorkspace,
): Promise<ApiMeasurement[]> {
  const middle = await deliveryAt(namespace, busy, 0.5);
  const deep = await deliveryAt(namespace, busy, 0.99);
  const page = (after?: string, filter = '') => {
    const cursor = after === undefined ? '' : `&cursor=${encodeCursor(`deliveries ${busy}`, [after])}`;
    return `/webhooks/${busy}/deliveries?limit=50${cursor}${filter}`;
  };
  const samples = await sampleDeliveries(namespace);
  const paths = {
    'first page of deliveries': page(),
    'page in the middle': page(middle),
    'page near the end': page(deep),
    'only failed': page(undefined, '&status=failed'),
    'only pending': page(undefined, '&status=pending'),
    'only delivered, near the end': page(deep, '&status=delivered'),
    'attempts of one': `/webhooks/deliveries/${middle}/attempts`,
    overview: '/overview',
  };
  const get = (path: string) => ({ method: 'GET', path: `/workspaces/${slug}${path}`, status: 200 }) as const;
  const searches = {
    'by event id': ({ eventId }: Sample) => `/webhooks/deliveries?eventId=${eventId}`,
    'by trace id': ({ traceId }: Sample) => `/webhooks/deliveries?traceId=${traceId}`,
    'explain an event': ({ eventId }: Sample) => `/events/${eventId}`,
  };
  return [
    ...Object.entries(paths).map(([label, path]) => ({ label, request: () => get(path) })),
    ...Object.entries(searches).map(([label, pathOf]) => ({
      label,
      request: (number: number) => get(pathOf(samples[number % samples.length]!)),
    })),
  ];
}

interface Sample {
  readonly eventId: string;
  readonly traceId: string;
}

/** Deliveries from anywhere in the history. */
async function sampleDeliveries({ database }: Namespace): Promise<readonly Sample[]> {
  const samples = await database.collections.deliveries
    .aggregate<Sample>([
      { $sample: { size: SAMPLES } },
      { $project: { _id: 0, eventId: '$payload.eventId', traceId: 1 } },
    ])
    .toArray();
  if (samples.length === 0) throw new Error('no deliveries are stored');
  return samples;
}

/** The id of a delivery in the history of an endpoint. @param depth 0 for the newest, 1 for the oldest */
async function deliveryAt({ database }: Namespace, endpointId: string, depth: number): Promise<string> {
  const { deliveries } = database.collections;
  const count = await deliveries.countDocuments({ endpointId });
  const skip = Math.floor((count - 1) * depth);
  const options = { projection: { _id: 1 }, sort: { _id: -1 }, skip } as const;
  return (await deliveries.findOne({ endpointId }, options))?._id ?? '';
}
