import { poll } from '#dev/processes/poll';
import { openWorkspace } from '#dev/start/run-admin';
import { post } from '../load/post.js';
import { deliveriesOf, type Publisher } from '../load/publish-load.js';
import type { Source } from '../load/sources.js';
import type { Kubectl } from '../tools.js';
import type { Trial } from '../trial.js';
import { addressOfApi } from './address-of-api.js';

const WORKSPACE = 'acme';

interface Subscriptions {
  readonly endpoints: number;
  readonly eventTypes: readonly string[];
}

/** Creates a workspace, a token and endpoints through the doors that a new user has. */
export async function setUpWorkspace(
  trial: Trial,
  kubectl: Kubectl,
  { endpoints, eventTypes }: Subscriptions,
): Promise<Publisher> {
  const token = await openWorkspace(WORKSPACE, {}, (args) => kubectl.admin(...args));
  const address = await addressOfApi(trial, kubectl);
  const paths = Array.from({ length: endpoints }, (_, index) => `/hook/${index + 1}`);
  const publisher = { address, workspace: WORKSPACE, token, paths };
  for (const path of paths) await createEndpoint(trial, publisher, { path, eventTypes });
  return publisher;
}

interface NewEndpoint {
  readonly path: string;
  readonly eventTypes: readonly string[];
}

/** @throws Error with the api's answer */
export async function createEndpoint(
  { receiver }: Trial,
  { address, workspace, token }: Publisher,
  { path, eventTypes }: NewEndpoint,
): Promise<void> {
  const answer = await fetch(`${address}/workspaces/${workspace}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}${path}`, eventTypes }),
  });
  if (answer.status !== 201) throw new Error(`the endpoint was refused: ${await answer.text()}`);
}

/** Waits until what one call accepted has arrived at every endpoint. */
export async function deliverFirst({ receiver }: Trial, publisher: Publisher, source: Source): Promise<void> {
  const { status, body } = await post(publisher, source);
  if (status !== source.status) throw new Error(`a call to ${source.path} was refused: ${body}`);
  const deliveries = deliveriesOf(publisher, source, body);
  const arrived = async () => (deliveries.every((one) => receiver.posts.has(one)) ? true : undefined);
  await poll(arrived, { everyMs: 100, timeoutMs: 60_000, what: 'the first delivery' });
  if (receiver.unsigned > 0) throw new Error('a delivery was not signed');
}
