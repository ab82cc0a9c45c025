import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTool } from '#dev/processes/start-process';
import { unpackPackages } from '../own/unpack-packages.js';
import { type Image, writeArchive } from './archive.js';
import { readDockerfile } from './read-dockerfile.js';

/** What Node.js needs of a distribution, and the programs that the manifests run: a shell and `sleep`. */
const PACKAGES = [
  ...['libc6', 'libgcc-s1', 'libstdc++6', 'dash', 'coreutils'],
  ...['libacl1', 'libattr1', 'libselinux1', 'libpcre2-8-0', 'libgmp10'],
];
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
  const { manifests, installed, built, env } = readDockerfile(
    readFileSync(join(checkout, 'Dockerfile'), 'utf8'),
  );
  const copy = (files: readonly string[]) => {
    for (const file of globSync([...files], { cwd: checkout }))
      cpSync(join(checkout, file), join(app, file), { recursive: true });
  };
  copy(['package.json', 'package-lock.json', '.npmrc', ...manifests]);
  const workspaces = installed.flatMap((name) => ['-w', name]);
  const args = ['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', ...workspaces];
  await runTool({ command: 'npm', args, cwd: app, logFile });
  copy(built);
  return {
    write: (name, version, file) =>
      writeArchive(imageOf({ name, version, env, layers: [system, program] }), file),
    remove: () => rmSync(directory, { recursive: true }),
  };
}

function imageOf({
  name,
  version,
  env,
  layers,
}: Pick<Image, 'name' | 'layers'> & { version: string; env: readonly string[] }): Image {
  const config = {
    Env: ['PATH=/usr/local/bin:/usr/bin:/bin', ...env],
    User: '1000:1000',
    WorkingDir: '/app',
    Entrypoint: ['postrider'],
    Labels: { 'org.opencontainers.image.version': version },
  };
  return { name, layers, config };
}
