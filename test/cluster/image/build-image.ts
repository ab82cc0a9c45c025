import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '#dev/processes/start-process';
import { unpackPackages } from '../own/unpack-packages.js';
import { type Image, writeArchive } from './archive.js';

/** What Node.js needs of a distribution, and the programs that the manifests run: a shell and `sleep`. */
const PACKAGES = [
  ...['libc6', 'libgcc-s1', 'libstdc++6', 'dash', 'coreutils'],
  ...['libacl1', 'libattr1', 'libselinux1', 'libpcre2-8-0', 'libgmp10'],
];
const SERVICES = ['api', 'dispatcher', 'dlq-consumer', 'janitor', 'all'];
const WORKSPACES = ['shared', 'client', 'console', ...SERVICES.map((name) => `services/${name}`)];
const INSTALLED = ['shared', ...SERVICES].flatMap((name) => ['-w', `@postrider/${name}`]);
const DOCKERFILE_ENV = /^ENV (\w+)="?([^"\n]+)"?$/gm;

/** The layers of the image, made without a container engine; several images can be written from them. */
export interface ImageLayers {
  /** Writes an archive of an image with this name. Images with different versions differ in a label only. */
  write(name: string, version: string, file: string): Promise<void>;
  remove(): void;
}

/** Does what the Dockerfile does for the services, from a built checkout. */
export async function buildLayers(checkout: string, logFile: string): Promise<ImageLayers> {
  const directory = mkdtempSync(join(tmpdir(), 'postrider-layers-'));
  const [system, program] = [join(directory, 'system'), join(directory, 'program')];
  const app = join(program, 'app');
  for (const one of [system, app]) mkdirSync(one, { recursive: true });
  await unpackPackages(PACKAGES, system, logFile);
  for (const name of ['tmp', 'etc', 'proc', 'sys', 'dev']) mkdirSync(join(system, name), { recursive: true });
  mkdirSync(join(system, 'usr/local/bin'), { recursive: true });
  cpSync(process.execPath, join(system, 'usr/local/bin/node'));
  symlinkSync('/app/deploy/image/postrider.mjs', join(system, 'usr/local/bin/postrider'));
  for (const file of ['package.json', 'package-lock.json', '.npmrc', ...manifestsOf(WORKSPACES)])
    cpSync(join(checkout, file), join(app, file));
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', ...INSTALLED];
  await runTool({ command: 'npm', args, cwd: app, logFile });
  for (const file of builtFiles()) cpSync(join(checkout, file), join(app, file), { recursive: true });
  const env = environmentIn(readFileSync(join(checkout, 'Dockerfile'), 'utf8'));
  return {
    write: (name, version, file) =>
      writeArchive(imageOf({ name, version, env, layers: [system, program] }), file),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

const manifestsOf = (workspaces: readonly string[]) => workspaces.map((name) => `${name}/package.json`);

const builtFiles = () => [
  'shared/dist/src',
  ...SERVICES.map((name) => `services/${name}/dist/src`),
  ...['services/api/openapi.json', 'deploy/image', 'LICENSE'],
];

/** The variables that the Dockerfile sets. */
function environmentIn(dockerfile: string): string[] {
  return Array.from(dockerfile.matchAll(DOCKERFILE_ENV), ([, name, value]) => `${name}=${value}`);
}

function imageOf({
  name,
  version,
  env,
  layers,
}: Pick<Image, 'name' | 'layers'> & { version: string; env: string[] }): Image {
  const config = {
    Env: ['PATH=/usr/local/bin:/usr/bin:/bin', ...env],
    User: '1000:1000',
    WorkingDir: '/app',
    Entrypoint: ['postrider'],
    Labels: { 'org.opencontainers.image.version': version },
  };
  return { name, layers, config };
}
