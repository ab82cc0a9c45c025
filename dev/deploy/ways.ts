import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ROOT } from '../start/places.js';
import { findHelm, runs } from './find-helm.js';
import { type Manifest, parseManifests, renderHelm, renderKustomize } from './render.js';

export const K8S = join(ROOT, 'deploy/k8s');

/** The ways onto a cluster, rendered from this checkout. */
export interface Ways {
  /** Where tests may write; inside the checkout, because kustomize takes no absolute paths. */
  readonly place: string;
  /** The program, or null where it cannot be had. */
  readonly helm: string | null;
  readonly hasKubectl: boolean;
  valuesFile(values: object): string;
  chart(values: object): Promise<Manifest[]>;
  /** What Helm says against values. */
  refusal(values: object): Promise<string>;
  overlay(name: string): Promise<Manifest[]>;
  /** The production overlay as somebody uses it who builds upon it. */
  productionWith(
    components: readonly string[],
    literals?: readonly string[],
    patches?: readonly object[],
  ): Promise<Manifest[]>;
  close(): void;
}

/** Finds the tools, and says which of them is not here. */
export async function openWays(report: (line: string) => void): Promise<Ways> {
  const home = join(ROOT, '.postrider');
  mkdirSync(home, { recursive: true });
  const place = mkdtempSync(join(home, 'deploy-'));
  const [helm, hasKubectl] = await Promise.all([
    findHelm(process.env, report),
    runs('kubectl', ['version', '--client']),
  ]);
  if (helm === null) report('skipped in part: there is neither helm nor go here');
  if (!hasKubectl) report('skipped in part: there is no kubectl here');

  const valuesFile = (values: object) => {
    const file = join(place, 'values.yaml');
    writeFileSync(file, stringify(values));
    return file;
  };
  const chart = async (values: object) => {
    if (helm === null) throw new Error('There is no helm here');
    return parseManifests(await renderHelm(helm, valuesFile(values)));
  };
  return {
    place,
    helm,
    hasKubectl,
    valuesFile,
    chart,
    refusal: (values) => chart(values).then(String, ({ message }: Error) => message),
    overlay: async (name) => parseManifests(await renderKustomize(join(K8S, 'overlays', name))),
    productionWith: async (components, literals = [], patches = []) => {
      const kustomization = {
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        resources: ['../../deploy/k8s/overlays/production'],
        components: components.map((name) => `../../deploy/k8s/components/${name}`),
        configMapGenerator: [{ name: 'postrider-config', behavior: 'merge', literals }],
        patches,
      };
      writeFileSync(join(place, 'kustomization.yaml'), stringify(kustomization));
      return parseManifests(await renderKustomize(place));
    },
    close: () => rmSync(place, { recursive: true, force: true }),
  };
}
