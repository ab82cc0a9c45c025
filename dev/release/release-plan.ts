import { RELEASED_FILES, released } from './released-files.js';

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

export interface ReleasePlan {
  /** The files to write with their next text. */
  readonly writes: ReadonlyMap<string, string>;
  /** Files to commit, so that the image can name its commit. */
  readonly commit: readonly string[];
}

/**
 * The remaining steps for a version. An interrupted release continues: finished steps are not repeated.
 * @throws Error with everything that prevents the release, one reason per line
 */
export function releasePlan(found: Found): ReleasePlan {
  const { version, day, texts, uncommitted } = found;
  const because = obstacles(found);
  if (because.length > 0) throw new Error(because.join('\n'));
  const writes = new Map<string, string>();
  for (const [file, before] of texts) {
    const text = released(file, before, version, day);
    if (text !== before) writes.set(file, text);
  }
  return { writes, commit: [...new Set([...uncommitted, ...writes.keys()])].toSorted() };
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

/** Arguments for docker, to build `image` from this checkout at a revision. */
export function imageBuild(
  image: string,
  version: string,
  revision: string,
  env: NodeJS.ProcessEnv,
): string[] {
  const settings = BUILD_SETTINGS.flatMap((name) => (env[name] ? [`${name}=${env[name]}`] : []));
  const args = [`VERSION=${version}`, `REVISION=${revision}`, ...settings];
  const buildArgs = args.flatMap((arg) => ['--build-arg', arg]);
  return ['build', '--target', 'services', ...buildArgs, '--tag', `${image}:${version}`, '.'];
}

/** The files that `git status --porcelain=v1 -z` names. */
export function uncommittedFiles(status: string): string[] {
  return status.split('\0').flatMap((entry) => entry.slice('XY '.length) || []);
}
