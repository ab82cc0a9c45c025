import { isIP } from 'node:net';
import type { ApiToken } from '@postrider/shared/domain/api-token';

interface RequestOrigin {
  /** The client's address as reported by trusted proxies. */
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The key under which requests are counted: a valid token, otherwise the address. */
export function clientKey({ ip, socket }: RequestOrigin, token: Pick<ApiToken, 'id'> | null): string {
  if (token !== null) return token.id;
  // A proxy may forward any text of any length.
  const address = ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
  return networkOf(address);
}

/** An IPv4 address, or the /64 network of an IPv6 address: providers assign at least that much to each customer. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || isIP(address) !== 6) return mapped ?? address;
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [front, back] = [groups(head), groups(tail)];
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const network = [...front, ...Array<string>(gap).fill('0'), ...back].slice(0, 4);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`;
}
