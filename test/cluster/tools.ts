import type { Cluster } from './cluster.js';
import { run } from './own/run.js';
import type { Trial } from './trial.js';

/** kubectl in one namespace. */
export interface Kubectl {
  (...args: string[]): Promise<string>;
  /** Sends manifests to the API server. */
  apply(manifests: string, ...args: string[]): Promise<string>;
  /** Runs an admin command in an api pod. */
  admin(...args: string[]): Promise<string>;
}

export function kubectlIn({ env }: Pick<Cluster, 'env'>, namespace: string): Kubectl {
  const kubectl = (...args: string[]) => run('kubectl', ['--namespace', namespace, ...args], { env });
  return Object.assign(kubectl, {
    apply: (input: string, ...args: string[]) =>
      run('kubectl', ['--namespace', namespace, 'apply', '-f', '-', ...args], { env, input }),
    admin: (...args: string[]) =>
      kubectl('exec', 'service/postrider-api', '-c', 'postrider', '--', 'postrider', 'admin', ...args),
  });
}

/** By what the operating guide selects deployments and pods. */
const ALL = ['-l', 'app.kubernetes.io/name=postrider'];

/** Waits until every deployment runs what it should, and nothing older. */
export const untilRolledOut = (kubectl: Kubectl): Promise<string> =>
  kubectl('rollout', 'status', 'deployment', ...ALL, '--timeout=5m');

export async function namesOf(kubectl: Kubectl, kind: string, ...args: string[]): Promise<string[]> {
  return (await kubectl('get', kind, '-o', 'name', ...args)).split('\n').filter(Boolean);
}

/**
 * Creates a namespace with restricted Pod Security, and removes it with everything in it afterwards.
 *
 * @throws Error if there is one already, which is not ours to remove
 */
export async function withNamespace<T>(
  { cluster, undo }: Pick<Trial, 'cluster' | 'undo'>,
  namespace: string,
  work: (kubectl: Kubectl) => Promise<T>,
): Promise<T> {
  const kubectl = kubectlIn(cluster, namespace);
  const enforce = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: enforce } };
  if ((await kubectl('get', 'namespace', namespace, '--ignore-not-found', '-o', 'name')) !== '')
    throw new Error(`there is a namespace ${namespace} already, which the test would remove`);
  const create = () => kubectl.apply(JSON.stringify(manifest));
  const remove = () => kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--timeout=120s');
  return undo.around(() => create().then(() => work(kubectl)), remove);
}

/** Runs what the operating guide has for the pods of a removed deployment. @throws Error if a pod is left */
export async function untilNoPods(kubectl: Kubectl): Promise<void> {
  await kubectl('delete', 'pod', 'postrider-test', '--ignore-not-found');
  await kubectl('wait', '--for=delete', 'pod', ...ALL, '--timeout=3m');
  const left = await namesOf(kubectl, 'pods');
  if (left.length > 0) throw new Error(`pods are left: ${left.join(', ')}`);
}
