import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { ROOT } from '#dev/start/paths';

const run = promisify(execFile);
const LARGEST_OUTPUT = 16 * 1024 * 1024;
/** The version that objects are rendered and validated for. */
export const KUBERNETES_VERSION = '1.32';
export const CHART = join(ROOT, 'deploy/helm/postrider');
/** Files of values that the chart brings. */
export type Profile = 'production' | 'small';
export const profileFile = (profile: Profile): string => join(CHART, `values-${profile}.yaml`);

/** An object of a cluster. */
export interface Manifest {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

/** @throws Error with the error of kubectl */
export async function renderKustomize(directory: string): Promise<string> {
  return (await run('kubectl', ['kustomize', directory], { maxBuffer: LARGEST_OUTPUT })).stdout;
}

interface Installed {
  readonly chart?: string;
  /** Its name. */
  readonly release?: string;
}

/** Renders the chart with files of values, of which the later ones win. @throws Error with the error of Helm */
export async function renderHelm(
  helm: string,
  values: readonly string[],
  { chart = CHART, release = 'postrider' }: Installed = {},
): Promise<string> {
  const version = ['--kube-version', `${KUBERNETES_VERSION}.0`];
  const files = values.flatMap((file) => ['--values', file]);
  const args = ['template', release, chart, ...files, ...version];
  return (await run(helm, args, { maxBuffer: LARGEST_OUTPUT })).stdout;
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((manifest) => manifest !== null);
}
