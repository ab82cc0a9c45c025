import { isIPv4 } from 'node:net';
import type { Cluster } from './cluster.js';
import { run } from './own/run.js';
import { startOwnCluster } from './own/start-own-cluster.js';
import type { Undo } from './undo.js';

/** The cluster of KUBECONFIG, or one that is started on this machine. @throws Error for settings that are missing */
export async function chooseCluster(
  env: NodeJS.ProcessEnv,
  report: (line: string) => void,
  undo: Undo,
): Promise<Cluster> {
  if (!env.KUBECONFIG) return startOwnCluster(report, undo);
  const { CLUSTER_HOST: host = '', CLUSTER_LOAD_IMAGE: load = '', CLUSTER_CALLS: calls = 'cluster-ip' } = env;
  if (!isIPv4(host) || load === '')
    throw new Error(
      'with KUBECONFIG, CLUSTER_HOST has to be an IPv4 address and CLUSTER_LOAD_IMAGE a command: see --help',
    );
  if (calls !== 'cluster-ip' && calls !== 'node-port')
    throw new Error('CLUSTER_CALLS has to be cluster-ip or node-port: see --help');
  const nodes = await run('kubectl', ['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}'], { env });
  report(`using the cluster of ${env.KUBECONFIG} with the nodes ${nodes}`);
  return {
    env,
    host,
    nodes: nodes.split(' '),
    calls,
    async load(archive) {
      await run('sh', ['-c', `${load} "$0"`, archive], { env });
    },
    enforcePolicies: async () => {},
  };
}
