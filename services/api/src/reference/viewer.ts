import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { loadOnce } from '@postrider/shared/runtime/load-once';

/** The viewer's script and licence, which the build copies next to the compiled files. */
export const VIEWER_DIRECTORY = new URL('./viewer/', import.meta.url);
export const VIEWER_FILE = new URL('viewer.js', VIEWER_DIRECTORY);
export const LICENCE_FILE = new URL('licence.txt', VIEWER_DIRECTORY);

/** The viewer's script, plain and compressed. */
export interface Viewer {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const compress = promisify(gzip);

/** Reads and compresses the viewer once, on the first request. */
export function createViewerLoader(): () => Promise<Viewer> {
  return loadOnce(read);
}

async function read(): Promise<Viewer> {
  const plain = await readFile(VIEWER_FILE);
  return { plain, gzipped: await compress(plain) };
}
