import { type Kubectl, namesOf, untilRolledOut } from '../tools.js';
import type { Trial } from '../trial.js';

/** Empties a node, waits until its pods run elsewhere, and makes it available again. */
export function drainNode({ cluster, undo }: Trial, kubectl: Kubectl): Promise<void> {
  const node = cluster.nodes.at(-1)!;
  const drain = async () => {
    await kubectl('drain', node, '--ignore-daemonsets', '--delete-emptydir-data', '--timeout=180s');
    await untilRolledOut(kubectl);
  };
  return undo.around(drain, () => kubectl('uncordon', node));
}

/** Kills a pod of each service, and waits until others have replaced them. */
export async function killPods(kubectl: Kubectl): Promise<void> {
  for (const component of ['api', 'dispatcher', 'dlq-consumer']) {
    const [pod] = await namesOf(kubectl, 'pods', '-l', `app.kubernetes.io/component=${component}`);
    if (pod !== undefined) await kubectl('delete', pod, '--grace-period=0', '--force');
  }
  await untilRolledOut(kubectl);
}
