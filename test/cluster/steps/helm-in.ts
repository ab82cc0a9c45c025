import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { run } from '../own/run.js';
import { type Kubectl, untilNoPods } from '../tools.js';
import type { Trial } from '../trial.js';

export const RELEASE = 'postrider';
const READY = ['--wait', '--timeout', '4m'];

/** Helm in one namespace, with one release. */
export interface Helm {
  (...args: string[]): Promise<string>;
  /** Installs or upgrades a chart, and waits until every pod is ready. */
  install(chart: string, values: object): Promise<string>;
  /** The same without waiting. */
  apply(chart: string, values: object): Promise<string>;
}

export function helmIn({ helm: program, cluster }: Trial, namespace: string): Helm {
  const helm = (...args: string[]) => run(program, [...args, '--namespace', namespace], { env: cluster.env });
  const upgrade = async (chart: string, values: object, ...options: string[]) => {
    const directory = mkdtempSync(join(tmpdir(), 'postrider-values-'));
    try {
      const file = join(directory, 'values.yaml');
      writeFileSync(file, stringify(values));
      return await helm('upgrade', RELEASE, chart, '--install', '--values', file, ...options);
    } finally {
      rmSync(directory, { recursive: true });
    }
  };
  return Object.assign(helm, {
    install: (chart: string, values: object) => upgrade(chart, values, ...READY),
    apply: (chart: string, values: object) => upgrade(chart, values),
  });
}

/** Uninstalls the release by the commands of the operating guide. */
export async function uninstall(helm: Helm, kubectl: Kubectl): Promise<void> {
  await helm('uninstall', RELEASE, '--wait');
  await untilNoPods(kubectl);
}
