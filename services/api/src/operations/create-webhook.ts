import { type Endpoint, newEndpoint, originOf } from '@postrider/shared/domain/endpoint';
import type { CreateWebhook, Webhook } from '../contract/webhook.js';
import { showWebhook } from '../views/webhook.js';
import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';
import { makeKey, requireOptions, storedOptions } from './endpoint-options.js';
import { subscribedTypes } from './event-type-names.js';
import { withinQuota } from './within-quota.js';

type Needs = Pick<
  Deps,
  | 'mutate'
  | 'clock'
  | 'newId'
  | 'randomBytes'
  | 'sealing'
  | 'quotas'
  | 'places'
  | 'catalogue'
  | 'requireFeature'
>;

/** Creates an endpoint. Its first secret is never shown; callers get one by rotation. */
export function createWebhook(deps: Needs) {
  return (call: Call, input: CreateWebhook): Promise<Webhook> => {
    if (input.recovery === 'probe') deps.requireFeature('endpointRecovery');
    const eventTypes = subscribedTypes(deps, input.eventTypes);
    requireOptions(deps, input);
    const id = deps.newId('endpoint', deps.clock.now());
    const row = { id, workspaceId: call.workspace.id, kind: 'endpoints' } as const;
    return withinQuota(deps, row, (ensurePlace) =>
      deps.mutate(call, async (tx) => {
        const at = deps.clock.now();
        await ensurePlace(tx, at);
        const endpoint = endpointOf(deps, call, { ...input, eventTypes, id, at });
        await tx.endpoints.insert(endpoint);
        const shown = showWebhook(endpoint, at, 0);
        const metadata = { origin: originOf(endpoint.url), eventTypes: shown.eventTypes };
        const records = changeRecords(call, deps.newId, {
          type: 'webhook_endpoint.created',
          target: { type: 'endpoint', id: endpoint.id },
          metadata,
          own: { endpointId: endpoint.id, ...metadata },
          at,
        });
        return { result: shown, ...records };
      }),
    );
  };
}

interface NewEndpointInput extends Omit<CreateWebhook, 'eventTypes'> {
  readonly id: Endpoint['id'];
  readonly eventTypes: readonly string[];
  readonly at: Date;
}

function endpointOf(deps: Needs, call: Call, { id, at, ...input }: NewEndpointInput): Endpoint {
  const { sealed } = makeKey(deps, input.signing ?? 'hmac-sha256', id);
  return newEndpoint({
    id,
    workspaceId: call.workspace.id,
    url: input.url,
    description: input.description ?? null,
    eventTypes: input.eventTypes,
    enabled: input.enabled ?? true,
    ...(input.recovery === 'probe' && { recovery: input.recovery }),
    ...sealed,
    options: storedOptions(deps, input, { id }),
    createdAt: at,
  });
}
