import type { ListedWebhook } from '../contract/webhook.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-endpoint.js';
import type { CountHeld } from './held-counts.js';
import { readHealth } from './read-endpoint-health.js';

type Needs = Pick<Deps, 'endpoints' | 'stats' | 'deliveries' | 'clock'>;

export interface WebhookRequest {
  readonly endpointId: string;
  readonly health?: boolean | undefined;
}

export function getWebhook(deps: Needs, countHeld: CountHeld) {
  return async ({ workspace }: Call, request: WebhookRequest): Promise<ListedWebhook> => {
    const endpoint = await findLiveEndpoint(deps.endpoints, workspace.id, request.endpointId);
    const held = (await countHeld([endpoint])).get(endpoint.id) ?? 0;
    const shown = showWebhook(endpoint, deps.clock.now(), held);
    const [health] = request.health === true ? await readHealth(deps, [endpoint]) : [];
    return health === undefined ? shown : { ...shown, health };
  };
}
