/** What the image of the services contains, as the Dockerfile says. */
export interface Contents {
  /** Package files of workspaces, which npm needs to install any of them. */
  readonly manifests: readonly string[];
  /** Workspaces whose dependencies are installed. */
  readonly installed: readonly string[];
  /** Files and directories of a built checkout; names may contain `*`. */
  readonly built: readonly string[];
  /** As `NAME=value`. */
  readonly env: readonly string[];
}

const MANIFEST = /^COPY (\S+\/package\.json) /gm;
const INSTALL = /^RUN npm ci [^\n]*--omit=dev(.*?)$/ms;
const BUILT = /cp --parents -r (.*?) \/built$/ms;
const ENV = /^ENV (\w+)="?([^"\n]+)"?$/gm;

/** @throws Error for a Dockerfile that is written differently */
export function readDockerfile(text: string): Contents {
  const joined = text.replace(/\\\n\s*/g, '');
  const contents = {
    manifests: Array.from(joined.matchAll(MANIFEST), ([, file]) => file!),
    installed: Array.from((INSTALL.exec(joined)?.[1] ?? '').matchAll(/ -w (\S+)/g), ([, name]) => name!),
    built: (BUILT.exec(joined)?.[1] ?? '').split(/\s+/).filter(Boolean),
    env: Array.from(joined.matchAll(ENV), ([, name, value]) => `${name}=${value}`),
  };
  for (const [part, found] of Object.entries(contents))
    if (found.length === 0) throw new Error(`the Dockerfile does not say what the image contains: ${part}`);
  return contents;
}
