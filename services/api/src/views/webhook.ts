import { currentHolding } from '@postrider/shared/domain/current-holding';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { readFilter } from '@postrider/shared/domain/event-filter';
import { previousSecretExpiresAt, signingMethodOf } from '@postrider/shared/domain/rotation';
import type { Webhook } from '../contract/webhook.js';

/**
 * Converts an endpoint to its wire format, which has neither secrets nor its timestamps.
 *
 * @param held deliveries that were held since it was disabled
 */
export function showWebhook(endpoint: Endpoint, now: Date, held: number): Webhook {
  return {
    id: endpoint.id,
    url: endpoint.url,
    eventTypes: endpoint.subscriptions.map(({ eventType }) => eventType),
    description: endpoint.description,
    enabled: endpoint.enabled,
    consecutiveFailures: endpoint.consecutiveFailures,
    disabledReason: endpoint.disabledReason,
    recovery: endpoint.recovery ?? 'manual',
    heldDeliveries: endpoint.enabled ? 0 : held,
    missedDeliveries: currentHolding(endpoint)?.missed ?? 0,
    ...optionsOf(endpoint),
    previousSecretExpiresAt: previousSecretExpiresAt(endpoint.secrets, now)?.toISOString() ?? null,
  };
}

function optionsOf({ headers, metadata, ratePerSecond, filter, secrets }: Endpoint) {
  return {
    headerNames: [...(headers?.names ?? [])],
    metadata: Object.fromEntries((metadata ?? []).map(({ name, value }) => [name, value])),
    ratePerSecond: ratePerSecond ?? null,
    filter: filter ? readFilter(filter) : null,
    signing: secrets === null ? 'hmac-sha256' : signingMethodOf(secrets),
    publicKey: secrets?.publicKey ?? null,
  } satisfies Partial<Webhook>;
}
