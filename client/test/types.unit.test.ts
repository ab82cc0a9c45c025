import { expect } from 'chai';
import type { CustomEvents } from '../examples/custom-events.js';
import { replayMissed } from '../examples/replay.js';
import { type Client, createClient, PostriderError } from '../src/index.js';

/** Never called: the compiler checks it. */
export async function typeErrors(client: Client): Promise<void> {
  // @ts-expect-error there is no such path
  await client.get('/hooks');
  // @ts-expect-error this path has no POST
  await client.post('/overview');
  // @ts-expect-error the id is missing
  await client.get('/webhooks/{endpointId}');
  // @ts-expect-error the client adds the workspace
  await client.get('/webhooks', { params: { path: { slug: 'acme' } } });
  // @ts-expect-error a required field is missing
  await client.post('/webhooks', { body: { url: 'https://x.example.com' } });
  // @ts-expect-error there is no such plan
  await client.put('/billing/plan', { body: { plan: 'gold' } });
  // @ts-expect-error an overview is not a list
  client.paginate('/overview');
  // @ts-expect-error counts have items, but no further page
  client.paginate('/stats');
  // @ts-expect-error there is no such field
  (await client.get('/overview')).name.length.color;
  // @ts-expect-error there is no such tag
  new PostriderError({} as never).is('Nonsense');
}

/** Regression: a client with generated types was not accepted where one without them is. Never called. */
export function replayByTyped(client: Client<CustomEvents>) {
  return replayMissed(client, 'whe_1', new Date());
}

describe('client types', () => {
  it('describe the parameters and the response of each path', () => {
    const client = createClient({
      baseUrl: 'http://127.0.0.1:1',
      workspace: 'acme',
      fetch: async () => Response.json({ plan: 'team' }),
    });
    const plan: Promise<'free' | 'team' | 'business'> = client
      .put('/billing/plan', { body: { plan: 'team' } })
      .then((answer) => answer.plan);
    return plan.then((text) => expect(text).to.equal('team'));
  });
});
