import { addressRanges, isAddressWithPort } from '../domain/address.js';
import type { EgressRules, PortRange } from '../domain/webhook-url.js';
import { bool, type CleanedEnv, exactly } from '../runtime/config.js';
import { list, words } from '../runtime/variables.js';

/** Address ranges in CIDR notation, comma-separated; empty is none. */
const ranges = exactly<string[]>('list', (text) => {
  const cidrs = words(text);
  addressRanges(cidrs);
  return cidrs;
});

/** Ports and ranges of ports, comma-separated, like `443,8443,9000-9100`. */
const portRanges = exactly<PortRange[]>('list', (text) => words(text).map(parsePorts));

function parsePorts(text: string): PortRange {
  const [, from = '', to = from] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(text) ?? [];
  const range = { from: Number(from), to: Number(to) };
  if (from === '' || range.from < 1 || range.to > 65_535 || range.from > range.to)
    throw new Error(`"${text}" is neither a port nor a range of ports: write it like 443 or 9000-9100`);
  return range;
}

/** Name servers by address, with a port where it is not 53, comma-separated; empty: those of the system. */
const nameServers = exactly<string[]>('list', (text) => {
  const servers = words(text);
  for (const server of servers) if (!isAddressWithPort(server)) throw new Error(notANameServer(server));
  return servers;
});

function notANameServer(text: string): string {
  return `"${text}" is not the address of a name server: write it like 192.0.2.53, 192.0.2.53:5353 or [2001:db8::53]:5353, without a zone`;
}

/** The URL of a forward proxy, or empty. Errors do not repeat it, because it may contain a password. */
const proxyUrl = exactly<string>('text', (text) => {
  if (text === '') return text;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new Error('is not the http:// or https:// URL of a proxy');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw new Error('must have neither a path nor a query');
  if (url.port === '0') throw new Error('has the port 0, but ports are 1 to 65535');
  if (!isDecodable(url.username) || !isDecodable(url.password))
    throw new Error('has a user name or password that cannot be decoded: write % as %25');
  return text;
});

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** The destinations that webhook URLs may have. */
export const EGRESS = {
  ALLOW_HTTP_WEBHOOKS: bool({ default: false, desc: 'Accept http:// webhook URLs (demos and tests only)' }),
  EGRESS_ALLOW_CIDRS: ranges({
    default: [],
    desc: 'Address ranges treated as public (demos and tests only)',
  }),
  EGRESS_ALLOW_HOSTS: list({ default: [], desc: 'Host names allowed at any address (demos and tests only)' }),
  EGRESS_DENY_CIDRS: ranges({
    default: [],
    desc: 'Address ranges that are refused, like public addresses of your own network; they take precedence over everything that is allowed',
  }),
  EGRESS_PORTS: portRanges({
    default: [],
    desc: 'The only ports that webhook URLs may use, like 443,8443,9000-9100; empty: all',
  }),
};

/** How the dispatcher reaches receivers. */
export const EGRESS_WAY = {
  EGRESS_NAME_SERVERS: nameServers({
    default: [],
    desc: "Name servers for the names of receivers, like 192.0.2.53; empty: the system's, which may know internal names",
  }),
  EGRESS_PROXY: proxyUrl({
    default: '',
    desc: 'Forward proxy for all deliveries, like http://proxy:3128, by CONNECT to addresses that were checked; a secret if it contains a password; empty: none',
  }),
};

export function egressRules(config: CleanedEnv<typeof EGRESS>): EgressRules {
  return {
    allowHttp: config.ALLOW_HTTP_WEBHOOKS,
    allowCidrs: config.EGRESS_ALLOW_CIDRS,
    allowHosts: config.EGRESS_ALLOW_HOSTS,
    denyCidrs: config.EGRESS_DENY_CIDRS,
    ports: config.EGRESS_PORTS,
  };
}
