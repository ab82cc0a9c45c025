import type { Webhook } from '../contract/webhook.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-endpoint.js';
import type { CountHeld } from './held-counts.js';

export function getWebhook({ endpoints, clock }: Pick<Deps, 'endpoints' | 'clock'>, countHeld: CountHeld) {
  return async ({ workspace }: Call, { endpointId }: { endpointId: string }): Promise<Webhook> => {
    const endpoint = await findLiveEndpoint(endpoints, workspace.id, endpointId);
    return showWebhook(endpoint, clock.now(), await countHeld(endpoint));
  };
}
