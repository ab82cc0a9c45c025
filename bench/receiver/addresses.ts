/** Endpoints whose hosts differ have connections of their own; beyond this number they share. */
const MOST_HOSTS = 512;
const PER_NET = 250;

/**
 * Loopback addresses for the receiver: the first for what shares a host, the others one for each endpoint. Only Linux
 * answers on all of 127.0.0.0/8 without being told; elsewhere everything is on one host.
 */
export function loopbackAddresses(hosts: number, platform: NodeJS.Platform): string[] {
  if (platform !== 'linux') return ['127.0.0.1'];
  return Array.from({ length: Math.min(hosts, MOST_HOSTS) + 1 }, (_, index) => {
    return `127.77.${Math.floor(index / PER_NET)}.${(index % PER_NET) + 1}`;
  });
}
