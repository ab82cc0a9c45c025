import { poll } from '#dev/processes/poll';
import { openWorkspace } from '#dev/start/run-admin';
import { post } from '../load/post.js';
import type { Publisher } from '../load/publish-load.js';
import type { Source } from '../load/sources.js';
import type { Kubectl } from '../tools.js';
import type { Trial } from '../trial.js';

const WORKSPACE = 'acme';

/** Creates a workspace, a token and an endpoint through the doors that a new user has. */
export async function setUpWorkspace(
  trial: Trial,
  kubectl: Kubectl,
  eventTypes: readonly string[],
): Promise<Publisher> {
  const token = await openWorkspace(WORKSPACE, {}, (args) => kubectl.admin(...args));
  const address = `http://${await kubectl('get', 'service', 'postrider-api', '-o', 'jsonpath={.spec.clusterIP}')}`;
  const publisher = { address, workspace: WORKSPACE, token };
  return { ...publisher, endpointId: await createEndpoint(trial, publisher, eventTypes) };
}

/** @returns its id @throws Error with the api's answer */
export async function createEndpoint(
  { receiver }: Trial,
  { address, workspace, token }: Omit<Publisher, 'endpointId'>,
  eventTypes: readonly string[],
): Promise<string> {
  const answer = await fetch(`${address}/workspaces/${workspace}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}/hook`, eventTypes }),
  });
  if (answer.status !== 201) throw new Error(`the endpoint was refused: ${await answer.text()}`);
  return ((await answer.json()) as { id: string }).id;
}

/** Waits until what one call of each source accepted has arrived. */
export async function deliverFirst(
  { receiver }: Trial,
  publisher: Publisher,
  sources: readonly Source[],
): Promise<void> {
  for (const source of sources) {
    const { status, body } = await post(publisher, source);
    if (status !== source.status) throw new Error(`a call to ${source.path} was refused: ${body}`);
    const ids = source.idsIn(JSON.parse(body));
    const arrived = async () => (ids.every((id) => receiver.posts.has(id)) ? true : undefined);
    await poll(arrived, { everyMs: 100, timeoutMs: 60_000, what: 'the first delivery' });
  }
  if (receiver.unsigned > 0) throw new Error('a delivery was not signed');
}
