import { isIP } from 'node:net';
import { addressRanges, addressRangesInEveryForm, isPublicAddress } from './address.js';
import { problemWithForm } from './webhook-url-form.js';

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
      const problem = problemWithForm(text);
      if (problem !== null) return problem;
      const url = new URL(text);
      if (!protocols.includes(url.protocol)) return 'must start with https://';
      return problemWithPort(url, rules.ports ?? []) ?? problemWithHost(url, allowedHosts, admitsAddress);
    },
  };
}

/** The host in the form that name lookups and address checks need: lower case, no brackets, no trailing dot. */
export function bareHost(host: string): string {
  return withoutBrackets(host.toLowerCase()).replace(/\.$/, '');
}

/** The host without the brackets that an IPv6 address has in a URL. */
export function withoutBrackets(host: string): string {
  return host.replace(/^\[|\]$/g, '');
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
