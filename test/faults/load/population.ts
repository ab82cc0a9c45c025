import type { Random } from '../random.js';
import { type ApiClient, callUntilAccepted } from './api-client.js';
import { type Behaviour, OK, type Receiver } from './receiver.js';

export interface Endpoint {
  readonly id: string;
  /** Path of its URL, which identifies it at the receiver. */
  readonly path: string;
  /** The slug of its workspace; absent for the load's. */
  readonly workspace?: string;
}

const FAIL: ReturnType<Behaviour> = { status: 500 };

/** Nearly a third of the deliveries fail at the first attempt. */
export const FLAKY: Behaviour = (bucket, earlier) => (bucket < 30 && earlier === 0 ? FAIL : OK);

/** Every fifth delivery is rejected for good, so that there is something to replay. */
export const REJECTS_SOME: Behaviour = (bucket) => (bucket < 20 ? { status: 404 } : OK);

/** The path whose deliveries sometimes fail for good, but too rarely to disable the endpoint. */
export const DOOMED = '/doomed';
export const STEADY = ['/steady-1', '/steady-2', '/steady-3'];

/**
 * The endpoints of every run. Some deliveries fail once and some for good, so that there are always retries and dead
 * letters; one endpoint always fails and is disabled.
 */
export const POPULATION: Readonly<Record<string, Behaviour>> = {
  '/steady-1': () => OK,
  '/steady-2': () => ({ ...OK, delayMs: 20 }),
  '/steady-3': () => ({ ...OK, delayMs: 60 }),
  '/flaky': FLAKY,
  [DOOMED]: (bucket) => (bucket < 5 ? FAIL : OK),
  '/broken': () => FAIL,
};

interface Connections {
  readonly client: ApiClient;
  readonly receiver: Receiver;
}

/** Creates an endpoint, and enables it when the receiver has its secret: earlier POSTs could not be verified. */
export async function openEndpoint(
  { client, receiver }: Connections,
  path: string,
  behaviour: Behaviour,
  url = `${receiver.url}${path}`,
): Promise<Endpoint> {
  receiver.behave(path, behaviour);
  const input = { url, eventTypes: ['api_token.created'], enabled: false };
  const { id } = await callUntilAccepted<Endpoint>(client, 'POST', '/webhooks', input);
  const { secret } = await callUntilAccepted<Secret>(client, 'POST', `/webhooks/${id}/rotate-secret`);
  receiver.trust(path, secret);
  await callUntilAccepted(client, 'PATCH', `/webhooks/${id}`, { enabled: true });
  return { id, path };
}

interface Secret {
  readonly secret: string;
}

/** @returns whether the rotation was accepted */
export async function rotateSecret(
  { client, receiver }: Connections,
  { id, path }: Endpoint,
): Promise<boolean> {
  const rotated = await client.call<Secret>('POST', `/webhooks/${id}/rotate-secret`);
  if (rotated !== null) receiver.trust(path, rotated.secret);
  return rotated !== null;
}

/** Creates the endpoints in random order. */
export async function openPopulation(connections: Connections, random: Random): Promise<Endpoint[]> {
  const population = Object.entries(POPULATION).sort(() => random.next() - 0.5);
  const endpoints: Endpoint[] = [];
  for (const [path, behaviour] of population)
    endpoints.push(await openEndpoint(connections, path, behaviour));
  return endpoints;
}
