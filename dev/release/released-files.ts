import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../start/paths.js';

const manifest: { workspaces: string[] } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
/** Files with the version; the root's package.json is authoritative. */
const MANIFESTS = ['package.json', ...manifest.workspaces.map((folder) => `${folder}/package.json`)];
const CHART = 'deploy/helm/postrider/Chart.yaml';
const KUSTOMIZATIONS = ['deploy/k8s/base/kustomization.yaml', 'deploy/k8s/overlays/demo/kustomization.yaml'];
/** Pages that build and run the image. */
const PAGES = ['README.md', 'docs/operating.md'];
/** An image of Postrider with its tag. */
const IMAGE = /(\bpostrider(?:-demo)?:)\d+\.\d+\.\d+(?:-[\w.-]+)?/g;
const LOCK = 'package-lock.json';
/** Generated from the api's manifest, but committed. */
const DOCUMENT = 'services/api/openapi.json';

export const VERSION_PLACES = [...MANIFESTS, LOCK, CHART, ...KUSTOMIZATIONS, ...PAGES, DOCUMENT];
export const CHANGELOG = 'CHANGELOG.md';
/** Every file that a release writes. */
export const RELEASED_FILES = [...VERSION_PLACES, CHANGELOG];

/** A file of RELEASED_FILES as it must be for a version released on `day`, like 2026-01-31. */
export function released(file: string, text: string, version: string, day: string): string {
  if (file === CHANGELOG) {
    if (text.includes(`\n## ${version} – `)) return text;
    return text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} – ${day}\n`);
  }
  if (file === CHART) return text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`);
  if (KUSTOMIZATIONS.includes(file)) return text.replace(/^( +newTag:) .*$/gm, `$1 ${version}`);
  if (PAGES.includes(file)) return text.replace(IMAGE, `$1${version}`);
  // The first one is the document's own version, in `info`.
  if (file === DOCUMENT) return text.replace(/^( {4}"version":) "[^"]+"/m, `$1 "${version}"`);
  if (file === LOCK) return lockWithVersion(text, version);
  return text
    .replace(/^( {2}"version":) "[^"]+"/m, `$1 "${version}"`)
    .replace(/^( +"@postrider\/[a-z-]+":) "[^"]+"/gm, `$1 "${version}"`);
}

/** Sets the version of the workspaces and of their dependencies on each other. */
function lockWithVersion(text: string, version: string): string {
  const lock = JSON.parse(text, (name, value) =>
    name.startsWith('@postrider/') && typeof value === 'string' ? version : value,
  );
  lock.version = version;
  for (const [path, entry] of Object.entries<{ version?: string }>(lock.packages))
    if (!path.includes('node_modules/')) entry.version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}
