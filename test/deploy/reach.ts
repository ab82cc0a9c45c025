import type { Manifest } from './render.js';

type Labels = Readonly<Record<string, string>>;

/** The connecting pod of this namespace, by its labels. */
export interface Source {
  readonly labels: Labels;
}

/** The destination: a pod of this namespace with its named ports, or an address that no policy names. */
export type Target =
  | { readonly labels: Labels; readonly ports: Readonly<Record<string, number>>; readonly port: number }
  | { readonly elsewhere: true; readonly port: number; readonly protocol?: 'TCP' | 'UDP' };

interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: object;
  readonly ipBlock?: object;
}
interface Selector {
  readonly matchLabels?: Labels;
}
interface Port {
  readonly port?: number | string;
  readonly protocol?: string;
}
interface Rule {
  readonly ports?: readonly Port[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}
interface Policy {
  readonly podSelector: Selector;
  readonly policyTypes: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/**
 * Whether the network policies among these objects let a pod reach a port. A pod that no policy selects is unrestricted.
 * Elsewhere is in the cluster, at an address that no block names.
 */
export function reaches(manifests: readonly Manifest[], source: Source, target: Target): boolean {
  const policies = manifests
    .filter(({ kind }) => kind === 'NetworkPolicy')
    .map(({ spec }) => spec as unknown as Policy);
  const out = policies.filter((policy) => applies(policy, 'Egress', source.labels));
  const leaves =
    out.length === 0 ||
    out.some(({ egress = [] }) => egress.some((rule) => names(rule.to, target) && opens(rule, target)));
  if (!leaves || 'elsewhere' in target) return leaves;
  const into = policies.filter((policy) => applies(policy, 'Ingress', target.labels));
  const isLetIn = ({ ingress = [] }: Policy) =>
    ingress.some((rule) => names(rule.from, source) && opens(rule, target));
  return into.length === 0 || into.some(isLetIn);
}

function applies(policy: Policy, type: 'Ingress' | 'Egress', labels: Labels): boolean {
  return policy.policyTypes.includes(type) && selects(policy.podSelector, labels);
}

function selects({ matchLabels = {} }: Selector, labels: Labels): boolean {
  return Object.entries(matchLabels).every(([name, value]) => labels[name] === value);
}

/** Of namespace selectors only the empty one is supported: it means all pods of the cluster. */
function names(peers: readonly Peer[] | undefined, who: Source | Target): boolean {
  return (
    peers === undefined ||
    peers.some(({ podSelector, namespaceSelector }) => {
      if (namespaceSelector !== undefined) return podSelector === undefined;
      return podSelector !== undefined && 'labels' in who && selects(podSelector, who.labels);
    })
  );
}

function opens({ ports }: Rule, target: Target): boolean {
  const wanted = 'protocol' in target ? target.protocol : 'TCP';
  return (
    ports === undefined ||
    ports.some(({ port, protocol = 'TCP' }) => {
      const number = typeof port === 'string' ? 'ports' in target && target.ports[port] : port;
      return protocol === wanted && (port === undefined || number === target.port);
    })
  );
}
