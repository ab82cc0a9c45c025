/** Files with the version; the root's package.json is authoritative. */
const MANIFESTS = [
  'package.json',
  'shared/package.json',
  'client/package.json',
  'services/api/package.json',
  'services/dispatcher/package.json',
  'services/dlq-consumer/package.json',
  'services/janitor/package.json',
];
const CHART = 'deploy/helm/postrider/Chart.yaml';
const KUSTOMIZATIONS = ['deploy/k8s/base/kustomization.yaml', 'deploy/k8s/overlays/demo/kustomization.yaml'];
const LOCK = 'package-lock.json';
/** Generated from the api's manifest, but committed. */
const DOCUMENT = 'services/api/openapi.json';

export const VERSION_PLACES = [...MANIFESTS, LOCK, CHART, ...KUSTOMIZATIONS, DOCUMENT];

/** A file of VERSION_PLACES as it is for a version. */
export function withVersion(file: string, text: string, version: string): string {
  if (file === CHART) return text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`);
  if (KUSTOMIZATIONS.includes(file)) return text.replace(/^( +newTag:) .*$/gm, `$1 ${version}`);
  // The first one is the document's own, of its `info`.
  if (file === DOCUMENT) return text.replace(/^( {4}"version":) "[^"]+"/m, `$1 "${version}"`);
  if (file === LOCK) return lockWithVersion(text, version);
  return text
    .replace(/^( {2}"version":) "[^"]+"/m, `$1 "${version}"`)
    .replace(/^( +"@postrider\/[a-z-]+":) "[^"]+"/gm, `$1 "${version}"`);
}

function lockWithVersion(text: string, version: string): string {
  const lock = JSON.parse(text);
  lock.version = version;
  for (const [path, entry] of Object.entries<{ version?: string; [kind: string]: unknown }>(lock.packages)) {
    if (path.includes('node_modules/') || entry.link === true) continue;
    entry.version = version;
    for (const kind of ['dependencies', 'devDependencies']) {
      const wanted = entry[kind] as Record<string, string> | undefined;
      for (const name of Object.keys(wanted ?? {}))
        if (name.startsWith('@postrider/')) wanted![name] = version;
    }
  }
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** The changelog with what was unreleased under a version's heading, unless it has that. @param day like 2026-01-31 */
export function releasedChangelog(text: string, version: string, day: string): string {
  if (text.includes(`\n## ${version} – `)) return text;
  return text.replace('## Unreleased\n', `## Unreleased\n\n## ${version} – ${day}\n`);
}
