import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { loadOnce } from '@postrider/shared/runtime/load-once';

/** Written by the build of the console. */
const SITE_DIRECTORY = new URL('./site/', import.meta.url);

/** One file of the console, plain and compressed. */
export interface SiteFile {
  /** Like `.js`. */
  readonly type: string;
  readonly plain: Buffer;
  readonly compressed: Buffer;
  /** Whether the name contains a hash of the content, so that it may be cached for ever. */
  readonly isHashed: boolean;
}

/** The files of the console by path, relative to it. */
export type Site = ReadonlyMap<string, SiteFile>;

const compress = promisify(brotliCompress);

/** Reads and compresses the console once, on the first request. */
export function createSiteLoader(directory = SITE_DIRECTORY): () => Promise<Site> {
  return loadOnce(() => readSite(directory));
}

async function readSite(directory: URL): Promise<Site> {
  const root = fileURLToPath(directory);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)).split(sep).join('/'));
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readSiteFile(directory, path)] as const)),
  );
}

async function readSiteFile(directory: URL, path: string): Promise<SiteFile> {
  const plain = await readFile(new URL(path, directory));
  const compressed = await compress(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
  return { type: extname(path), plain, compressed, isHashed: path.startsWith('assets/') };
}
