import { isIP } from 'node:net';
import { addressRanges, addressRangesInEveryForm, isPublicAddress } from './address.js';

export const MAX_URL_LENGTH = 2_048;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

export interface EgressRules {
  /** Accepts http as well as https. For demos and tests only. */
  readonly allowHttp: boolean;
  /** Address ranges in CIDR notation that are treated as public. */
  readonly allowCidrs: readonly string[];
  /** Host names that are exempt from all host and address rules. */
  readonly allowHosts: readonly string[];
  /** Address ranges in CIDR notation that are refused. They take precedence over everything that is allowed. */
  readonly denyCidrs?: readonly string[];
  /** The only ports that are accepted; empty: all. */
  readonly ports?: readonly PortRange[];
}

/** Ports, both ends included. */
export interface PortRange {
  readonly from: number;
  readonly to: number;
}

/** The rules for destinations of deliveries. They apply at creation, before every attempt and at connect time. */
export interface Egress {
  /** Returns what is wrong with a webhook URL; null if it is valid. */
  readonly problemWith: (url: string) => string | null;
  /** Returns whether a connection to this host may use this address. */
  readonly admits: (host: string, address: string) => boolean;
}

export function createEgress(rules: EgressRules): Egress {
  const inAllowedRange = addressRanges(rules.allowCidrs);
  const allowedHosts = new Set(rules.allowHosts.map(bareHost));
  const protocols = rules.allowHttp ? ['https:', 'http:'] : ['https:'];
  const isDenied = addressRangesInEveryForm(rules.denyCidrs ?? []);
  const admitsAddress = (address: string) =>
    !isDenied(address) && (isPublicAddress(address) || inAllowedRange(address));
  return {
    admits: (host, address) =>
      admitsAddress(address) || (allowedHosts.has(bareHost(host)) && !isDenied(address)),
    problemWith: (text) => {
      if (text.length > MAX_URL_LENGTH) return `must have at most ${MAX_URL_LENGTH} characters`;
      if (hasWhiteSpaceOrControls(text)) return 'must not contain white space or control characters';
      if (!URL.canParse(text)) return 'is not an absolute URL';
      const url = new URL(text);
      return (
        problemWithShape(url, text, protocols) ??
        problemWithPort(url, rules.ports ?? []) ??
        problemWithHost(url, allowedHosts, admitsAddress)
      );
    },
  };
}

/** The host in the form that name look-ups and address checks need: lower case, no brackets, no trailing dot. */
export function bareHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '');
}

function problemWithShape(url: URL, text: string, protocols: readonly string[]): string | null {
  if (!protocols.includes(url.protocol)) return 'must start with https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  return null;
}

function problemWithPort({ port, protocol }: URL, ports: readonly PortRange[]): string | null {
  const used = port === '' ? DEFAULT_PORTS[protocol] : Number(port);
  const isAccepted = ports.some(({ from, to }) => used !== undefined && used >= from && used <= to);
  if (ports.length === 0 || isAccepted) return null;
  return `must use one of these ports: ${ports.map(formatPorts).join(', ')}`;
}

function formatPorts({ from, to }: PortRange): string {
  return from === to ? String(from) : `${from}-${to}`;
}

function problemWithHost(
  url: URL,
  allowedHosts: ReadonlySet<string>,
  admitsAddress: (address: string) => boolean,
): string | null {
  const host = bareHost(url.hostname);
  if (host === 'localhost' || host.endsWith('.localhost')) return 'must not point to localhost';
  if (allowedHosts.has(host)) return null;
  if (isIP(host) !== 0) return admitsAddress(host) ? null : 'must not point to an address that is not public';
  if (!host.includes('.') || host.split('.').includes(''))
    return 'must name a public host, like hooks.example.com';
  if (/\.(local|internal)$/.test(host)) return 'must not point to an internal name';
  return null;
}

function hasWhiteSpaceOrControls(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code <= 32 || code === 127) return true;
  }
  return false;
}
