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
      kubectl('exec', 'deployment/postrider-api', '-c', 'postrider', '--', 'postrider', 'admin', ...args),
  });
}

/** Waits until every deployment of the namespace runs what it should, and nothing older. */
export async function untilRolledOut(kubectl: Kubectl): Promise<void> {
  for (const name of await namesOf(kubectl, 'deployments'))
    await kubectl('rollout', 'status', name, '--timeout=240s');
}

export async function namesOf(kubectl: Kubectl, kind: string, ...args: string[]): Promise<string[]> {
  return (await kubectl('get', kind, '-o', 'name', ...args)).split('\n').filter(Boolean);
}

/** Creates a namespace with restricted Pod Security, and removes it with everything in it afterwards. */
export function withNamespace<T>(
  { cluster, undo }: Pick<Trial, 'cluster' | 'undo'>,
  namespace: string,
  work: (kubectl: Kubectl) => Promise<T>,
): Promise<T> {
  const kubectl = kubectlIn(cluster, namespace);
  const enforce = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const manifest = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: enforce } };
  const create = () => kubectl.apply(JSON.stringify(manifest));
  const remove = () => kubectl('delete', 'namespace', namespace, '--ignore-not-found', '--timeout=120s');
  return undo.around(() => create().then(() => work(kubectl)), remove);
}

/** Waits by the command of the operating guide until no pod is left. @throws Error if it leaves one */
export async function untilNoPods(kubectl: Kubectl): Promise<void> {
  const pods = ['pod', '-l', 'app.kubernetes.io/name=postrider'];
  await kubectl('wait', '--for=delete', ...pods, '--timeout=90s');
  const left = await namesOf(kubectl, 'pods');
  if (left.length > 0) throw new Error(`pods are left: ${left.join(', ')}`);
}
