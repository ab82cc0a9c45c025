import { releasedChangelog, VERSION_PLACES, withVersion } from './version-places.js';

export const CHANGELOG = 'CHANGELOG.md';
/** Every file that a release writes. */
export const RELEASED_FILES = [...VERSION_PLACES, CHANGELOG];

/** Build arguments about the build environment: see the Dockerfile. */
const BUILD_SETTINGS = ['NODE_IMAGE', 'NPM_CONFIG_REGISTRY', 'NODE_EXTRA_CA_CERTS'];

export interface Found {
  readonly version: string;
  /** Like 2026-01-31. */
  readonly day: string;
  /** The current text of each of RELEASED_FILES. */
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
  | { readonly kind: 'blocked'; readonly because: readonly string[] }
  | {
      readonly kind: 'release';
      readonly writes: readonly Write[];
      /** Files to commit, so that the image can name its commit. */
      readonly commit: readonly string[];
    };

/** The remaining steps for a version. An interrupted release continues: finished steps are not repeated. */
export function releasePlan(found: Found): ReleasePlan {
  const because = obstacles(found);
  if (because.length > 0) return { kind: 'blocked', because };
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

/** Everything that prevents a release, before anything is changed. */
function obstacles({ uncommitted, hasDocker, hasHelm }: Found): string[] {
  const foreign = uncommitted.filter((file) => !RELEASED_FILES.includes(file));
  return [
    ...foreign.map((file) => `${file} is not committed, so the image would differ from its commit`),
    ...(hasDocker ? [] : ['docker is not installed, or its engine does not answer: it builds the image']),
    ...(hasHelm ? [] : ['neither helm nor go is installed to package the chart']),
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
  const buildArgs = args.flatMap((arg) => ['--build-arg', arg]);
  return ['build', '--target', 'services', ...buildArgs, '--tag', `${repository}:${version}`, folder];
}

/** The files that `git status --porcelain=v1 -z` names. */
export function uncommittedFiles(status: string): string[] {
  return status
    .split('\0')
    .filter((entry) => entry !== '')
    .map((entry) => entry.slice('XY '.length));
}
