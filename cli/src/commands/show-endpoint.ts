import type { components } from '@postrider/client';

type Webhook = components['schemas']['Webhook'];

export function stateOf({ enabled, disabledReason }: Webhook): string {
  return enabled ? 'enabled' : `disabled (${disabledReason})`;
}

/** The lines of an endpoint; options only where they are set. */
export function showEndpoint(endpoint: Webhook): readonly string[] {
  const { id, url, eventTypes, description, consecutiveFailures, heldDeliveries } = endpoint;
  const { headerNames, metadata, filter, ratePerSecond, signing, publicKey, recovery } = endpoint;
  const labels = Object.entries(metadata).map(([name, value]) => `${name}=${value}`);
  const facts: readonly (readonly [title: string, value: string | null])[] = [
    ['url', url],
    ['event types', eventTypes.join(', ')],
    ['description', description],
    ['filter', filter === null ? null : JSON.stringify(filter)],
    ['headers', headerNames.join(', ')],
    ['metadata', labels.join(', ')],
    ['rate', ratePerSecond === null ? null : `${ratePerSecond} a second`],
    ['signing', signing],
    ['public key', publicKey],
    ['recovery', recovery],
  ];
  return [
    `${id}  ${stateOf(endpoint)}`,
    ...facts.flatMap(([title, value]) => (value ? [`  ${title.padEnd(WIDTH)}${value}`] : [])),
    `  failures in a row: ${consecutiveFailures}, held deliveries: ${heldDeliveries}`,
  ];
}

const WIDTH = 13;
