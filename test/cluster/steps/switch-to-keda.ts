import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { K8S } from '../../deploy/ways.js';
import { run } from '../own/run.js';
import { type Kubectl, untilRolledOut } from '../tools.js';
import type { Trial } from '../trial.js';

interface Switch {
  readonly trial: Trial;
  readonly kubectl: Kubectl;
  readonly namespace: string;
  /** Applies the overlay with the component keda. */
  readonly apply: () => Promise<unknown>;
}

/**
 * Runs the command that the component keda describes, then applies the overlay with it.
 *
 * @throws Error if that changes the number of dispatchers, of which KEDA has none yet
 */
export async function switchToKeda({ trial, kubectl, namespace, apply }: Switch): Promise<void> {
  const before = await dispatchers(kubectl);
  await inNamespace(trial, namespace, describedCommand());
  await apply();
  const after = await dispatchers(kubectl);
  if (after !== before) throw new Error(`${after} dispatchers instead of ${before}`);
  await untilRolledOut(kubectl);
}

const dispatchers = (kubectl: Kubectl): Promise<string> =>
  kubectl('get', 'deployment/postrider-dispatcher', '-o', 'jsonpath={.spec.replicas}');

/** The lines of the command in the comment of the component. */
function describedCommand(): string {
  const text = readFileSync(join(K8S, 'components/keda/kustomization.yaml'), 'utf8');
  const lines = [
    ...text.matchAll(/^# {3}(kubectl apply view-last-applied .*| {2}kubectl apply set-last-applied .*)$/gm),
  ];
  if (lines.length === 0) throw new Error('the component keda describes no command');
  return lines.map(([, line]) => line).join('\n');
}

/** Runs a command as in a terminal where this namespace is chosen. */
async function inNamespace({ cluster }: Trial, namespace: string, command: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-kubeconfig-'));
  try {
    const KUBECONFIG = join(directory, 'config');
    cpSync(cluster.env.KUBECONFIG!, KUBECONFIG);
    const env = { ...cluster.env, KUBECONFIG };
    await run('kubectl', ['config', 'set-context', '--current', '--namespace', namespace], { env });
    await run('bash', ['-o', 'pipefail', '-ec', command], { env });
  } finally {
    rmSync(directory, { recursive: true });
  }
}
