import type { Page, PageRequest } from '../contract/page.js';
import type { Webhook } from '../contract/webhook.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageById } from './read-page.js';

/** Lists endpoints in ascending order of ids. */
export function listWebhooks({ endpoints, clock }: Pick<Deps, 'endpoints' | 'clock'>) {
  return ({ workspace }: Call, request: PageRequest): Promise<Page<Webhook>> => {
    const now = clock.now();
    return pageById({
      list: `webhooks ${workspace.id}`,
      request,
      read: (slice) => endpoints.list(workspace.id, slice),
      show: (endpoint) => showWebhook(endpoint, now),
    });
  };
}
