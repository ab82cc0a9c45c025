import { releasedChangelog, VERSION_PLACES, withVersion } from './version-places.js';

export const CHANGELOG = 'CHANGELOG.md';
/** Every file that a release writes. */
export const RELEASED_FILES = [...VERSION_PLACES, CHANGELOG];

/** What an image's build may be told about where it is built: see the Dockerfile. */
const BUILD_SETTINGS = ['NODE_IMAGE', 'NPM_CONFIG_REGISTRY', 'NODE_EXTRA_CA_CERTS'];

export interface Found {
  readonly version: string;
  /** Like 2026-01-31. */
  readonly day: string;
  /** What each of RELEASED_FILES says now. */
  readonly texts: ReadonlyMap<string, string>;
  /** Files that differ from the last commit. */
  readonly uncommitted: readonly string[];
  readonly hasDocker: boolean;
  readonly hasHelm: boolean;
}

export interface Write {
  readonly file: string;
  readonly text: string;
}

export type ReleasePlan =
  | { readonly kind: 'refused'; readonly because: readonly string[] }
  | {
      readonly kind: 'release';
      readonly writes: readonly Write[];
      /** What has to be committed, so that the image can name the commit that it was built from. */
      readonly commit: readonly string[];
    };

/** What is left to do for a version. A release that broke off is taken up where it was: what is done is not done again. */
export function releasePlan(found: Found): ReleasePlan {
  const because = obstacles(found);
  if (because.length > 0) return { kind: 'refused', because };
  const writes = RELEASED_FILES.flatMap((file): Write[] => {
    const before = found.texts.get(file) ?? '';
    const text = released(file, before, found);
    return text === before ? [] : [{ file, text }];
  });
  const touched = new Set([...found.uncommitted, ...writes.map(({ file }) => file)]);
  return { kind: 'release', writes, commit: [...touched].toSorted() };
}

function released(file: string, text: string, { version, day }: Found): string {
  return file === CHANGELOG ? releasedChangelog(text, version, day) : withVersion(file, text, version);
}

/** All that stands in the way, before anything is touched. */
function obstacles({ uncommitted, hasDocker, hasHelm }: Found): string[] {
  const foreign = uncommitted.filter((file) => !RELEASED_FILES.includes(file));
  return [
    ...foreign.map((file) => `${file} is not committed, and the image would not be what its commit says`),
    ...(hasDocker ? [] : ['docker is not here, or its engine does not answer: it builds the image']),
    ...(hasHelm ? [] : ['neither helm nor go is here to package the chart with']),
  ];
}

export interface ImageFacts {
  readonly version: string;
  /** The commit that it is built from. */
  readonly revision: string;
  readonly repository: string;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Arguments for docker. */
export function imageBuild({ version, revision, repository, folder, env }: ImageFacts): string[] {
  const settings = BUILD_SETTINGS.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : []));
  const args = [`VERSION=${version}`, `REVISION=${revision}`, ...settings];
  const told = args.flatMap((arg) => ['--build-arg', arg]);
  return ['build', '--target', 'services', ...told, '--tag', `${repository}:${version}`, folder];
}

/** The files that `git status --porcelain=v1 -z` names. */
export function uncommittedFiles(status: string): string[] {
  return status
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice('XY '.length));
}
