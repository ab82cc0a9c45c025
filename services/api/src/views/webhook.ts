import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { previousSecretExpiresAt } from '@postrider/shared/domain/rotation';
import type { Webhook } from '../contract/webhook.js';

/** Converts an endpoint to its wire format, which has neither secrets nor its timestamps. */
export function showWebhook(endpoint: Endpoint, now: Date): Webhook {
  return {
    id: endpoint.id,
    url: endpoint.url,
    eventTypes: endpoint.subscriptions.map(({ eventType }) => eventType),
    description: endpoint.description,
    enabled: endpoint.enabled,
    consecutiveFailures: endpoint.consecutiveFailures,
    disabledReason: endpoint.disabledReason,
    previousSecretExpiresAt: previousSecretExpiresAt(endpoint.secrets, now)?.toISOString() ?? null,
  };
}
