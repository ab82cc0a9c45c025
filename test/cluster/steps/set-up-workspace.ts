import { poll } from '#dev/processes/poll';
import { openWorkspace } from '#dev/start/run-admin';
import type { Publisher } from '../load/publish-load.js';
import type { Kubectl } from '../tools.js';
import type { Trial } from '../trial.js';

const WORKSPACE = 'acme';

/** Creates a workspace, a token and an endpoint through the doors that a new user has. */
export async function setUpWorkspace(trial: Trial, kubectl: Kubectl): Promise<Publisher> {
  const token = await openWorkspace(WORKSPACE, {}, (args) => kubectl.admin(...args));
  const address = `http://${await kubectl('get', 'service', 'postrider-api', '-o', 'jsonpath={.spec.clusterIP}')}`;
  const publisher = { address, workspace: WORKSPACE, token };
  await createEndpoint(trial, publisher, ['invoice.paid']);
  return publisher;
}

/** @throws Error with the api's answer */
export async function createEndpoint(
  { receiver }: Trial,
  { address, workspace, token }: Publisher,
  eventTypes: readonly string[],
): Promise<void> {
  const answer = await fetch(`${address}/workspaces/${workspace}/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: `${receiver.url}/hook`, eventTypes }),
  });
  if (answer.status !== 201) throw new Error(`the endpoint was refused: ${await answer.text()}`);
}

/** Waits until one event of the workspace has arrived. */
export async function deliverFirst({ receiver }: Trial, publisher: Publisher): Promise<void> {
  const { address, workspace, token } = publisher;
  const answer = await fetch(`${address}/workspaces/${workspace}/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'invoice.paid',
      data: { invoiceId: 'in_1', customer: { id: 'cus_1' }, amount: 1, currency: 'EUR' },
    }),
  });
  if (answer.status !== 202) throw new Error(`the event was refused: ${await answer.text()}`);
  const { eventId } = (await answer.json()) as { eventId: string };
  const arrived = async () => (receiver.posts.has(eventId) ? true : undefined);
  await poll(arrived, { everyMs: 100, timeoutMs: 60_000, what: 'the first delivery' });
  if (receiver.unsigned > 0) throw new Error('a delivery was not signed');
}
