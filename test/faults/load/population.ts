import type { Random } from '../random.js';
import { type ApiClient, insist } from './api-client.js';
import { type Behaviour, OK, type Receiver } from './receiver.js';

/** An endpoint of the run, as the api and the receiver know it. */
export interface LoadedEndpoint {
  readonly id: string;
  /** Of its URL; tells it from the others. */
  readonly path: string;
}

const EVENT_TYPE = 'api_token.created';
const FAIL: ReturnType<Behaviour> = { status: 500 };

/** Nearly a third of the deliveries fail at the first attempt. */
export const FLAKY: Behaviour = (_, nth, lot) => (lot < 30 && nth === 0 ? FAIL : OK);

/** The path that refuses some deliveries for good, and is never disabled for it. */
export const REFUSING = '/doomed';

/** Every fifth delivery is refused for good: there is always something to replay. */
export const CAPRICIOUS: Behaviour = (_id, _nth, lot) => (lot < 20 ? { status: 404 } : OK);

/**
 * What the population of every run is made of. Single deliveries fail, here and there one fails for good, so that
 * retries and dead letters happen all the time; one endpoint only ever fails, and is disabled for it.
 */
export const POPULATION: Readonly<Record<string, Behaviour>> = {
  '/steady-1': () => OK,
  '/steady-2': () => ({ ...OK, delayMs: 20 }),
  '/steady-3': () => ({ ...OK, delayMs: 60 }),
  '/flaky': FLAKY,
  [REFUSING]: (_id, _nth, lot) => (lot < 5 ? FAIL : OK),
  '/broken': () => FAIL,
};

export const STEADY = ['/steady-1', '/steady-2', '/steady-3'];

interface Opening {
  readonly client: ApiClient;
  readonly receiver: Receiver;
}

/**
 * Makes an endpoint at the receiver. It is enabled once the receiver knows its secret: what is sent before a first
 * rotation nobody could verify.
 */
export async function openEndpoint(
  { client, receiver }: Opening,
  path: string,
  behaviour: Behaviour,
  url = `${receiver.url}${path}`,
): Promise<LoadedEndpoint> {
  receiver.behave(path, behaviour);
  const input = { url, eventTypes: [EVENT_TYPE], enabled: false };
  const { id } = await insist<{ id: string }>(client, 'POST', '/webhooks', input);
  const { secret } = await insist<{ secret: string }>(client, 'POST', `/webhooks/${id}/rotate-secret`);
  receiver.trust(path, secret);
  await insist(client, 'PATCH', `/webhooks/${id}`, { enabled: true });
  return { id, path };
}

/** Gives an endpoint a new secret. @returns whether that was accepted */
export async function rotate({ client, receiver }: Opening, { id, path }: LoadedEndpoint): Promise<boolean> {
  const rotated = await client.call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`);
  if (rotated !== null) receiver.trust(path, rotated.secret);
  return rotated !== null;
}

export async function openPopulation(opening: Opening, random: Random): Promise<readonly LoadedEndpoint[]> {
  const paths = Object.entries(POPULATION).sort(() => random.next() - 0.5);
  const endpoints: LoadedEndpoint[] = [];
  for (const [path, behaviour] of paths) endpoints.push(await openEndpoint(opening, path, behaviour));
  return endpoints;
}
