import { BlockList, isIPv4 } from 'node:net';
import { type Labels, type Peer, type PolicySpec, type Port, type Rule, selects } from './network-policy.js';
import type { Manifest } from './render.js';

/** The connecting pod of this namespace, by its labels. */
export interface Source {
  readonly labels: Labels;
}

/**
 * The destination: a pod of this namespace with its named ports, or an address elsewhere, of a pod if it has a namespace.
 */
export type Target =
  | { readonly labels: Labels; readonly ports: Readonly<Record<string, number>>; readonly port: number }
  | {
      readonly address: string;
      readonly namespace?: string;
      readonly port: number;
      readonly protocol?: 'TCP' | 'UDP';
    };

/** Whether the network policies among these objects let a pod reach a port. A pod that no policy selects is unrestricted. */
export function reaches(manifests: readonly Manifest[], source: Source, target: Target): boolean {
  const policies = manifests
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as unknown as PolicySpec);
  const out = policies.filter((policy) => applies(policy, 'Egress', source.labels));
  const leaves =
    out.length === 0 ||
    out.some(({ egress = [] }) => egress.some((rule) => names(rule.to, target) && opens(rule, target)));
  if (!leaves || 'address' in target) return leaves;
  const into = policies.filter((policy) => applies(policy, 'Ingress', target.labels));
  const isLetIn = ({ ingress = [] }: PolicySpec) =>
    ingress.some((rule) => names(rule.from, source) && opens(rule, target));
  return into.length === 0 || into.some(isLetIn);
}

function applies(policy: PolicySpec, type: 'Ingress' | 'Egress', labels: Labels): boolean {
  return policy.policyTypes.includes(type) && selects(policy.podSelector, labels);
}

function names(peers: readonly Peer[] | undefined, who: Source | Target): boolean {
  return peers === undefined || peers.some((peer) => namesOne(peer, who));
}

/** Every pod of a test is in the namespace of the policies, unless it has an address. */
function namesOne({ podSelector, namespaceSelector, ipBlock }: Peer, who: Source | Target): boolean {
  if ('labels' in who) {
    if (namespaceSelector !== undefined && namespaceSelector.matchLabels !== undefined) return false;
    return ipBlock === undefined && selects(podSelector ?? {}, who.labels);
  }
  if (ipBlock !== undefined) return contains(ipBlock, who.address);
  const labels = { 'kubernetes.io/metadata.name': who.namespace ?? '' };
  return who.namespace !== undefined && namespaceSelector !== undefined && selects(namespaceSelector, labels);
}

function contains({ cidr, except = [] }: NonNullable<Peer['ipBlock']>, address: string): boolean {
  const isIn = (ranges: readonly string[]) => {
    const list = new BlockList();
    for (const range of ranges) {
      const [net = '', prefix] = range.split('/');
      list.addSubnet(net, Number(prefix), isIPv4(net) ? 'ipv4' : 'ipv6');
    }
    return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
  };
  return isIn([cidr]) && !isIn(except);
}

function opens({ ports }: Rule, target: Target): boolean {
  const protocol = 'protocol' in target ? target.protocol : 'TCP';
  return (
    ports === undefined || ports.some((port) => (port.protocol ?? 'TCP') === protocol && isOpen(port, target))
  );
}

function isOpen({ port, endPort }: Port, target: Target): boolean {
  if (typeof port === 'string') return 'ports' in target && target.ports[port] === target.port;
  return port === undefined || port === null || (target.port >= port && target.port <= (endPort ?? port));
}
