import type { Manifest } from './render.js';

/** What only one of the two ways writes: labels about the writer, and how pods come to follow their configuration. */
const OF_THE_WRITER = new Set([
  'app.kubernetes.io/version',
  'app.kubernetes.io/managed-by',
  'helm.sh/chart',
  'checksum/config',
]);
const HASHED_NAME = /^(postrider-(?:config|secrets))-[a-z0-9]{10}$/;

/**
 * Manifests by kind and name, as what they mean: without what only their writer knows, lists of named things in the
 * order of their names. A secret of certificates may be missing in one way of writing, never in the other.
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
    .filter(([key]) => !OF_THE_WRITER.has(key) && !(key === 'optional' && 'secretName' in value))
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
