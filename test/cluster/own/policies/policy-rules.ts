import {
  type Block,
  type Labels,
  type Peer,
  type PolicySpec,
  type Port,
  selects,
} from '../../../deploy/network-policy.js';

/** A network policy. The rules cover selectors by labels, and IPv4. */
export interface Policy extends PolicySpec {
  readonly namespace: string;
}

export interface Pod {
  readonly namespace: string;
  readonly labels: Labels;
  readonly address: string;
  /** Its named ports. */
  readonly ports: Readonly<Record<string, number>>;
}

export interface State {
  readonly policies: readonly Policy[];
  readonly pods: readonly Pod[];
  /** Labels of each namespace by its name. */
  readonly namespaces: Readonly<Record<string, Labels>>;
}

/** The name lets the end of the cluster remove it with the chains of its other parts. */
export const CHAIN = 'KUBE-POLICIES';
const ADMITTED = '0x10000/0x10000';
const ANYWHERE: Block = { cidr: '0.0.0.0/0' };
const DIRECTIONS = [
  { type: 'Egress', own: '-s', other: '-d' },
  { type: 'Ingress', own: '-d', other: '-s' },
] as const;
type Direction = (typeof DIRECTIONS)[number];

/** What iptables-restore reads to refuse every new connection that the policies do not admit. */
export function policyRules(state: State): string {
  const chains: string[][] = [];
  const rules = state.pods.flatMap((pod) =>
    DIRECTIONS.flatMap((direction) => {
      const policies = policiesOf(state, pod, direction);
      if (policies.length === 0) return [];
      const start = `-A ${CHAIN} ${direction.own} ${pod.address}/32`;
      const admitted = policies.flatMap((policy) => admittedBy({ state, pod, policy, direction }));
      return [
        `${start} -j MARK --set-xmark 0x0/0x10000`,
        ...admitted.map(
          ({ block, ports }) => `${start} ${ports} ${direction.other} ${block.cidr} ${target(block)}`,
        ),
        `${start} -m mark --mark 0x0/0x10000 -j REJECT`,
      ];
    }),
  );
  /** A chain of its own leaves out the exceptions of a block. */
  function target({ except = [] }: Block): string {
    if (except.length === 0) return `-j MARK --set-xmark ${ADMITTED}`;
    const name = `KUBE-POLICY-${chains.length + 1}`;
    const left = except.map((cidr) => `-A ${name} -d ${cidr} -j RETURN`);
    chains.push([`:${name} - [0:0]`, ...left, `-A ${name} -j MARK --set-xmark ${ADMITTED}`]);
    return `-j ${name}`;
  }
  const established = `-A ${CHAIN} -m conntrack --ctstate RELATED,ESTABLISHED -j RETURN`;
  const [declared, filled] = [chains.map(([first]) => first!), chains.flatMap(([, ...rest]) => rest)];
  return ['*filter', `:${CHAIN} - [0:0]`, ...declared, established, ...filled, ...rules, 'COMMIT', ''].join(
    '\n',
  );
}

function policiesOf({ policies }: State, pod: Pod, { type }: Direction): readonly Policy[] {
  return policies.filter(
    ({ namespace, policyTypes, podSelector }) =>
      namespace === pod.namespace && policyTypes.includes(type) && selects(podSelector, pod.labels),
  );
}

interface Admission {
  readonly state: State;
  readonly pod: Pod;
  readonly policy: Policy;
  readonly direction: Direction;
}

/** The blocks and ports that one policy admits for a pod. */
function admittedBy({ state, pod, policy, direction: { type } }: Admission) {
  const rules = (type === 'Egress' ? policy.egress : policy.ingress) ?? [];
  return rules.flatMap(({ from, to, ports }) => {
    const peers = (type === 'Egress' ? to : from)?.flatMap((peer) => blocksOf(state, policy, peer)) ?? [
      { block: ANYWHERE },
    ];
    // A named port is one of the pod that is connected to.
    return peers.flatMap(({ block, pod: peer }) =>
      matchesOf(ports, type === 'Egress' ? peer?.ports : pod.ports).map((match) => ({ block, ports: match })),
    );
  });
}

function blocksOf({ pods, namespaces }: State, policy: Policy, peer: Peer): { block: Block; pod?: Pod }[] {
  const { ipBlock, namespaceSelector, podSelector = {} } = peer;
  if (ipBlock !== undefined) return ipBlock.cidr.includes(':') ? [] : [{ block: ipBlock }];
  const isNear = ({ namespace }: Pod) =>
    namespaceSelector === undefined
      ? namespace === policy.namespace
      : selects(namespaceSelector, namespaces[namespace] ?? {});
  return pods
    .filter((pod) => isNear(pod) && selects(podSelector, pod.labels))
    .map((pod) => ({ block: { cidr: `${pod.address}/32` }, pod }));
}

/** Matches of iptables for ports; a name without a port matches nothing. */
function matchesOf(ports: readonly Port[] | undefined, named: Pod['ports'] = {}): string[] {
  if (ports === undefined) return [''];
  return ports.flatMap(({ port, endPort, protocol = 'TCP' }) => {
    const of = `-p ${protocol.toLowerCase()}`;
    if (port === undefined) return [of];
    const first = typeof port === 'string' ? named[port] : port;
    return first === undefined ? [] : [`${of} --dport ${first}:${endPort ?? first}`];
  });
}
