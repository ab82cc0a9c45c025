import { MAX_RETRIES } from '../domain/retry-policy.js';

/** The topics by their names without a prefix. Only shared/src/kafka adds the prefix. */
export const EVENTS_TOPIC = 'workspace.events';
export const NOTIFICATIONS_TOPIC = 'workspace.notifications';
/** What happens to deliveries, for those who watch them. Best effort. */
export const OUTCOMES_TOPIC = 'webhook.outcomes';
export const DELIVERIES_TOPIC = 'webhook.deliveries';
export const DEAD_LETTER_TOPIC = 'webhook.deliveries.dlq';
export const QUARANTINE_TOPIC = 'webhook.quarantine';

/** The delay topic of a tier, 1 to 6. */
export function retryTopic(tier: number): string {
  return `${DELIVERIES_TOPIC}.retry.${tier}`;
}
export const RETRY_TOPICS: readonly string[] = Array.from({ length: MAX_RETRIES }, (_, index) =>
  retryTopic(index + 1),
);

/** The tier of a delay topic; null for any other topic. */
export function tierOfTopic(topic: string): number | null {
  const index = RETRY_TOPICS.indexOf(topic);
  return index === -1 ? null : index + 1;
}

/** All topics of deliveries. They have the same partition count, so that one process owns an endpoint on all of them. */
export const DELIVERY_TOPICS: readonly string[] = [DELIVERIES_TOPIC, ...RETRY_TOPICS, DEAD_LETTER_TOPIC];
