/** How an endpoint answers. */
export interface Behavior {
  readonly delayMs?: number;
  /** Number of POSTs of every delivery to answer with 500, before 200. */
  readonly failures?: number;
  /** Accepts requests and never answers. */
  readonly silent?: boolean;
}

/** The content of an endpoint's URL path. */
export interface Hook {
  /** The endpoints that are counted together. */
  readonly group: string;
  readonly behavior: Behavior;
}

/** @param index distinguishes the endpoints of a group */
export function hookPath({ group, behavior }: Hook, index: number): string {
  return `/${group}/${index}?${encodeURIComponent(JSON.stringify(behavior))}`;
}

/** @throws Error for a path that `hookPath` does not create */
export function parseHookPath(path: string): Hook {
  const { pathname, search } = new URL(path, 'http://receiver');
  const [, group = ''] = pathname.split('/');
  return { group, behavior: JSON.parse(decodeURIComponent(search.slice(1))) };
}

/** Endpoints on different hosts have separate connections; beyond this number they share hosts. */
const MAX_HOSTS = 512;
const PER_NET = 250;

/**
 * Loopback addresses for the receiver: the first one for endpoints that share a host, one more for each endpoint. Only
 * Linux accepts connections to all of 127.0.0.0/8 without configuration; elsewhere all endpoints are on one host.
 */
export function loopbackAddresses(endpoints: number, platform = process.platform): string[] {
  if (platform !== 'linux') return ['127.0.0.1'];
  return Array.from({ length: Math.min(endpoints, MAX_HOSTS) + 1 }, (_, index) => {
    return `127.77.${Math.floor(index / PER_NET)}.${(index % PER_NET) + 1}`;
  });
}
