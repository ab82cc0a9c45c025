import { run, succeeds } from '../run.js';
import { CHAIN, type Pod, type Policy, policyRules } from './policy-rules.js';

/** Of the filter table: between pods, and from pods to this machine. What a node sends to its pods is not restricted. */
const HOOKS = ['FORWARD', 'INPUT'];
/** kube-proxy changes rules, too. */
const WAIT = ['-w', '10'];

interface Item {
  readonly kind: 'NetworkPolicy' | 'Pod' | 'Namespace';
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly labels?: Record<string, string>;
  };
  readonly spec: Omit<Policy, 'namespace'> & {
    readonly containers?: readonly { readonly ports?: readonly { name?: string; containerPort: number }[] }[];
  };
  readonly status?: { readonly podIP?: string; readonly phase?: string };
}

/** Makes the network policies of this moment effective for the pods of this moment. Open connections remain. */
export async function enforcePolicies(env: NodeJS.ProcessEnv): Promise<void> {
  const kinds = 'networkpolicies,pods,namespaces';
  const answer = await run('kubectl', ['get', kinds, '--all-namespaces', '-o', 'json'], { env });
  const { items } = JSON.parse(answer) as { items: readonly Item[] };
  const ofKind = (kind: Item['kind']) => items.filter((item) => item.kind === kind);
  const input = policyRules({
    policies: ofKind('NetworkPolicy').map(({ metadata, spec }) => ({
      ...spec,
      namespace: metadata.namespace,
    })),
    pods: ofKind('Pod').flatMap(podOf),
    namespaces: Object.fromEntries(
      ofKind('Namespace').map(({ metadata }) => [metadata.name, metadata.labels ?? {}]),
    ),
  });
  await run('iptables-restore', [...WAIT, '--noflush'], { env, input });
  for (const hook of HOOKS)
    if (!(await succeeds('iptables', [...WAIT, '-C', hook, '-j', CHAIN], { env })))
      await run('iptables', [...WAIT, '-I', hook, '-j', CHAIN], { env });
}

/** A pod has an address while it runs. */
function podOf({ metadata, spec, status }: Item): Pod[] {
  if (status?.podIP === undefined || status.phase !== 'Running') return [];
  const ports = (spec.containers ?? []).flatMap((container) => container.ports ?? []);
  const named = ports.flatMap(({ name, containerPort }) =>
    name === undefined ? [] : [[name, containerPort] as const],
  );
  const { namespace, labels = {} } = metadata;
  return [{ namespace, labels, address: status.podIP, ports: Object.fromEntries(named) }];
}
