import { createClient } from '@postrider/client';

const postrider = createClient({
  baseUrl: process.env.POSTRIDER_URL ?? 'http://127.0.0.1:8080',
  workspace: 'acme',
  token: process.env.POSTRIDER_TOKEN ?? '',
});

export async function subscribe(url: string): Promise<string> {
  const webhook = await postrider.post('/webhooks', { body: { url, eventTypes: ['billing.plan_changed'] } });
  const key = await postrider.post('/webhooks/{endpointId}/rotate-secret', {
    params: { path: { endpointId: webhook.id } },
  });
  // The second is for endpoints with `signing: 'ed25519'`. `verify` takes either.
  return 'secret' in key ? key.secret : key.publicKey;
}
