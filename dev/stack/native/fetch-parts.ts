import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ServerName, Unavailable } from '../stack.js';
import { cacheDirectory, withLock } from './cache.js';
import { ChecksumMismatch } from './checksum.js';
import type { FetchContext } from './fetch-context.js';
import { PARTS, type Part } from './parts.js';
import { withProgress } from './show-progress.js';

/** Directories of the cache with the programs to run. */
export type Parts = Readonly<Record<ServerName, string>>;

/**
 * The programs of the native stack, downloaded into the cache where they are missing.
 * @throws Unavailable when a tool or a platform is missing
 * @throws Error when the checksum of a download is wrong
 */
export async function fetchParts(
  tools: Omit<FetchContext, 'downloads'>,
  report: (line: string) => void,
): Promise<Parts> {
  const cache = cacheDirectory(tools.env);
  const missing = () => PARTS.filter((part) => !existsSync(join(cache, part.directory)));
  if (missing().length > 0) {
    await mkdir(cache, { recursive: true });
    const context = { ...tools, downloads: join(cache, 'downloads') };
    const onWait = () => report('Another start is downloading the servers; waiting for it.');
    await withLock(join(cache, 'downloading'), onWait, () => fetchMissing(missing(), cache, context, report));
  }
  return Object.fromEntries(
    PARTS.map((part) => [part.server, join(cache, part.directory)]),
  ) as unknown as Parts;
}

async function fetchMissing(
  parts: readonly Part[],
  cache: string,
  context: FetchContext,
  report: (line: string) => void,
): Promise<void> {
  if (parts.length === 0) return;
  const tools = await findTools(parts, context.env);
  await removeLeftovers(cache);
  await mkdir(context.downloads, { recursive: true });
  report(`Downloading ${parts.map((part) => part.title).join(', ')} into ${cache} (once only).`);
  const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
  // One run of each tool at a time: concurrent runs of Maven would corrupt their local repository.
  const install = async (tool: string): Promise<void> => {
    for (const part of parts) {
      if (tools.get(part) !== tool) continue;
      const into = join(cache, `incomplete-${part.directory}`);
      await mkdir(into, { recursive: true });
      await part.fetch(into, tool, context);
      await rename(into, join(cache, part.directory));
    }
  };
  try {
    await withProgress(context.downloads, bytes, () =>
      Promise.all([...new Set(tools.values())].map(install)),
    );
  } catch (error) {
    if (!(error instanceof ChecksumMismatch)) throw error;
    // The file would fail every time. Once it is removed, the next start downloads it again.
    await rm(context.downloads, { recursive: true, force: true });
    throw new Error(`${error.message}. It was removed; run the same command again.`, { cause: error });
  }
  await rm(context.downloads, { recursive: true, force: true });
}

/** Reports all missing tools at once, before anything is downloaded. */
async function findTools(parts: readonly Part[], env: NodeJS.ProcessEnv): Promise<Map<Part, string>> {
  const tools = new Map<Part, string>();
  const problems = new Set<string>();
  for (const part of parts) {
    try {
      tools.set(part, await part.findTool(env));
    } catch (error) {
      problems.add((error as Error).message);
    }
  }
  if (problems.size > 0) throw new Unavailable([...problems].join('; '));
  return tools;
}

/** Only the holder of the lock installs, so an incomplete part was left by a killed process. */
async function removeLeftovers(cache: string): Promise<void> {
  const names = await readdir(cache);
  const leftovers = names.filter((name) => name.startsWith('incomplete-'));
  await Promise.all(leftovers.map((name) => rm(join(cache, name), { recursive: true, force: true })));
}
