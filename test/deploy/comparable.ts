import type { Manifest } from './render.js';

/** Labels about the renderer, and annotations that make pods follow their configuration: only one of the two writes them. */
const OF_THE_RENDERER = new Set([
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
  'checksum/config',
  'checksum/catalogue',
]);
const HASHED_NAME = /^(postrider-(?:config|secrets|event-catalogue))-[a-z0-9]{10}$/;

/**
 * Manifests by kind and name in a canonical form: without the labels of their renderer, named lists sorted by name.
 * `optional` of a certificate secret is ignored, and the pull policy that Kubernetes chooses for a tag other than latest.
 */
export function comparable(manifests: readonly Manifest[]): Record<string, unknown> {
  const named = manifests
    .filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] === undefined)
    .map((manifest) => plain(manifest) as Manifest)
    .map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const);
  return Object.fromEntries(
    named.map(withoutScaledCount(manifests)).toSorted(([a], [b]) => a.localeCompare(b)),
  );
}

/** KEDA sets the count: the chart repeats the running one, which kustomize cannot look up. */
function withoutScaledCount(manifests: readonly Manifest[]) {
  const scaled = manifests.filter(({ kind }) => kind === 'ScaledObject').map(({ metadata }) => metadata.name);
  return ([key, manifest]: readonly [string, Manifest]): [string, unknown] => {
    if (manifest.kind !== 'Deployment' || !scaled.includes(manifest.metadata.name)) return [key, manifest];
    const { replicas: _, ...spec } = manifest.spec as { replicas?: number };
    return [key, { ...manifest, spec }];
  };
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return value.replace(HASHED_NAME, '$1');
  if (Array.isArray(value)) return value.map(plain).toSorted(byName);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !OF_THE_RENDERER.has(key) && !(key === 'optional' && 'secretName' in value))
    .filter(([key, inner]) => key !== 'imagePullPolicy' || inner !== 'IfNotPresent')
    .map(([key, inner]) => [key, plain(inner)] as const)
    .filter(([key, inner]) => key !== 'annotations' || Object.keys(inner as object).length > 0);
  return Object.fromEntries(entries);
}

function byName(a: unknown, b: unknown): number {
  return nameOf(a).localeCompare(nameOf(b));
}

function nameOf(value: unknown): string {
  return typeof value === 'object' && value !== null && 'name' in value ? String(value.name) : '';
}
