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
  const { CLUSTER_HOST: host, CLUSTER_LOAD_IMAGE: load } = env;
  if (!host || !load)
    throw new Error('with KUBECONFIG, CLUSTER_HOST and CLUSTER_LOAD_IMAGE have to be set: see --help');
  const nodes = await run('kubectl', ['get', 'nodes', '-o', 'jsonpath={.items[*].metadata.name}'], { env });
  report(`using the cluster of ${env.KUBECONFIG} with the nodes ${nodes}`);
  return {
    env,
    host,
    nodes: nodes.split(' '),
    async load(archive) {
      await run('sh', ['-c', `${load} "$0"`, archive], { env });
    },
    enforcePolicies: async () => {},
  };
}
