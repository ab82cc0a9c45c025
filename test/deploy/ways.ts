import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { findHelm, runs } from '#dev/processes/find-helm';
import { ROOT } from '#dev/start/paths';
import {
  type Manifest,
  type Profile,
  parseManifests,
  profileFile,
  renderHelm,
  renderKustomize,
} from './render.js';

export const K8S = join(ROOT, 'deploy/k8s');

/** The ways of deploying to a cluster, rendered from this checkout. */
export interface Ways {
  /** Where tests may write; inside the checkout, because kustomize accepts no absolute paths. */
  readonly place: string;
  /** The program, or null where it is not available. */
  readonly helm: string | null;
  readonly hasKubectl: boolean;
  valuesFile(values: object): string;
  /** The chart with these values after those of its profile, if one is given. */
  chart(values: object, profile?: Profile): Promise<Manifest[]>;
  /** Helm's error for values that it rejects. */
  refusal(values: object): Promise<string>;
  overlay(name: string): Promise<Manifest[]>;
  /** An overlay built on the production overlay, or on another one. */
  productionWith(components: readonly string[], additions?: Additions): Promise<Manifest[]>;
  close(): void;
}

/** What an overlay adds to the production overlay, or to the one that `base` names: variables, patches and further ConfigMaps. */
export interface Additions {
  readonly base?: string;
  readonly literals?: readonly string[];
  readonly patches?: readonly object[];
  readonly configMaps?: readonly object[];
}

type Define = (title: string, run: (ways: Ways, skip: () => never) => Promise<void>) => void;

/** Defines tests by the tools that they need; without these tools they are skipped. */
export function describeWays(
  title: string,
  define: (tests: Readonly<Record<'helm' | 'kubectl' | 'both', Define>>) => void,
): void {
  describe(title, function () {
    this.timeout(900_000);
    let ways: Ways;
    before(async () => {
      ways = await openWays(report);
    });
    after(() => ways?.close());
    const needs =
      (helm: boolean, kubectl: boolean): Define =>
      (name, run) =>
        it(name, async function () {
          if ((helm && ways.helm === null) || (kubectl && !ways.hasKubectl)) this.skip();
          await run(ways, () => this.skip());
        });
    define({ helm: needs(true, false), kubectl: needs(false, true), both: needs(true, true) });
  });
}

export const report = (line: string): void => console.log(`      ${line}`);

export async function openWays(report: (line: string) => void): Promise<Ways> {
  const home = join(ROOT, '.postrider');
  mkdirSync(home, { recursive: true });
  const place = mkdtempSync(join(home, 'deploy-'));
  const [helm, hasKubectl] = await Promise.all([findHelm(report), runs('kubectl', ['version', '--client'])]);
  if (helm === null) report('skipped in part: neither helm nor go is installed');
  if (!hasKubectl) report('skipped in part: kubectl is not installed');

  const valuesFile = (values: object) => {
    const file = join(place, 'values.yaml');
    writeFileSync(file, stringify(values));
    return file;
  };
  const chart = async (values: object, profile?: Profile) => {
    if (helm === null) throw new Error('helm is not installed');
    const files = [...(profile === undefined ? [] : [profileFile(profile)]), valuesFile(values)];
    return parseManifests(await renderHelm(helm, files));
  };
  return {
    place,
    helm,
    hasKubectl,
    valuesFile,
    chart,
    refusal: (values) => chart(values).then(String, ({ message }: Error) => message),
    overlay: async (name) => parseManifests(await renderKustomize(join(K8S, 'overlays', name))),
    productionWith: async (components, additions = {}) => {
      const { base = 'overlays/production', literals = [], patches = [], configMaps = [] } = additions;
      const kustomization = {
        apiVersion: 'kustomize.config.k8s.io/v1beta1',
        kind: 'Kustomization',
        resources: [`../../deploy/k8s/${base}`],
        components: components.map((name) => `../../deploy/k8s/components/${name}`),
        configMapGenerator: [{ name: 'postrider-config', behavior: 'merge', literals }, ...configMaps],
        patches,
      };
      writeFileSync(join(place, 'kustomization.yaml'), stringify(kustomization));
      return parseManifests(await renderKustomize(place));
    },
    close: () => rmSync(place, { recursive: true, force: true }),
  };
}
