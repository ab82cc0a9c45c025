import { isIP } from 'node:net';

interface RequestOrigin {
  /** The client's address as reported by trusted proxies. */
  readonly ip?: string | undefined;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/** The key under which requests are counted: a valid token, otherwise the address. */
export function clientKey(origin: RequestOrigin, token: { readonly id: string } | null): string {
  return token === null ? networkOf(clientAddress(origin)) : token.id;
}

/** The client's address, as far as proxies are trusted to report it; empty once the connection is closed. */
export function clientAddress({ ip, socket }: RequestOrigin): string {
  // A proxy may forward any text of any length.
  const address = ip !== undefined && isIP(ip) !== 0 ? ip : (socket.remoteAddress ?? '');
  return withoutMapping(address);
}

/** An IPv4 address, or the /64 network of an IPv6 address: providers assign at least that much to each customer. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? prefixOf(address, 4) : address;
}

/** The /48 network of an IPv6 address, the most that providers usually assign to one customer; null for an IPv4 address. */
export function siteOf(address: string): string | null {
  return isIP(address) === 6 ? prefixOf(address, 3) : null;
}

/** The network of an IPv6 address that its first 16-bit groups identify. */
function prefixOf(address: string, length: number): string {
  const [head = '', tail] = (address.split('%')[0] ?? '').split('::');
  const groups = (part: string | undefined) => (part ? part.split(':') : []);
  const [front, back] = [groups(head), groups(tail)];
  const gap = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const network = [...front, ...Array<string>(gap).fill('0'), ...back].slice(0, length);
  return `${network.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/${16 * length}`;
}

/** An IPv4 address that was mapped into IPv6, in its usual form. */
function withoutMapping(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
