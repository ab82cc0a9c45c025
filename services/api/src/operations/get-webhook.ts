import type { Webhook } from '../contract/webhook.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-endpoint.js';

export function getWebhook({ endpoints, clock }: Pick<Deps, 'endpoints' | 'clock'>) {
  return async ({ workspace }: Call, { endpointId }: { endpointId: string }): Promise<Webhook> =>
    showWebhook(await findLiveEndpoint(endpoints, workspace.id, endpointId), clock.now());
}
