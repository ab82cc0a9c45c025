import { isIP } from 'node:net';
import { bareHost } from './webhook-url.js';

/** Second-level labels under which country domains register names: `example.co.uk`. */
const REGISTRIES = new Set(['ac', 'co', 'com', 'edu', 'go', 'gov', 'ne', 'net', 'or', 'org']);

/**
 * The domain that one owner has registered, as far as names show that. Hosts of one provider are one domain, so that a
 * provider's outage is one observation. For an address it is the address.
 */
export function registrableDomain(origin: string): string {
  const host = bareHost(new URL(origin).hostname);
  if (isIP(host) !== 0) return host;
  const labels = host.split('.');
  const [second = '', top = ''] = labels.slice(-2);
  const isRegistry = top.length === 2 && REGISTRIES.has(second);
  return labels.slice(isRegistry ? -3 : -2).join('.');
}
