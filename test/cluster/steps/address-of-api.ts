import type { Kubectl } from '../tools.js';
import type { Trial } from '../trial.js';

const LASTING = 'lasting-api';

/** Where this machine reaches the api: by the service of the deployment, if it routes to services. */
export function addressOfApi({ cluster }: Trial, kubectl: Kubectl): Promise<string> {
  return cluster.calls === 'cluster-ip'
    ? addressInCluster(kubectl, 'postrider-api')
    : lastingAddressOfApi({ cluster }, kubectl);
}

/** The same by a service that is no part of the deployment, so that it outlives it. */
export async function lastingAddressOfApi(
  { cluster }: Pick<Trial, 'cluster'>,
  kubectl: Kubectl,
): Promise<string> {
  const service = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: LASTING },
    spec: {
      type: cluster.calls === 'cluster-ip' ? 'ClusterIP' : 'NodePort',
      ports: [{ name: 'http', port: 80, targetPort: 'http' }],
      selector: { 'app.kubernetes.io/name': 'postrider', 'app.kubernetes.io/component': 'api' },
    },
  };
  await kubectl.apply(JSON.stringify(service));
  if (cluster.calls === 'cluster-ip') return addressInCluster(kubectl, LASTING);
  const port = await kubectl('get', 'service', LASTING, '-o', 'jsonpath={.spec.ports[0].nodePort}');
  return `http://${await addressOfNode(kubectl, cluster.nodes[0]!)}:${port}`;
}

const addressInCluster = async (kubectl: Kubectl, service: string): Promise<string> =>
  `http://${await kubectl('get', 'service', service, '-o', 'jsonpath={.spec.clusterIP}')}`;

/** The first one, where a node has addresses of two families. */
async function addressOfNode(kubectl: Kubectl, node: string): Promise<string> {
  const internal = '{.status.addresses[?(@.type=="InternalIP")].address}';
  return (await kubectl('get', 'node', node, '-o', `jsonpath=${internal}`)).split(' ')[0]!;
}
