import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { VIEWER_FILE } from './viewer-files.js';

/** The viewer's script, as it is and as it travels. */
export interface Viewer {
  readonly plain: Buffer;
  readonly gzipped: Buffer;
}

const compress = promisify(gzip);

/** Reads and compresses the viewer when somebody first asks for it, and once. */
export function viewerOnce(): () => Promise<Viewer> {
  let reading: Promise<Viewer> | null = null;
  return () => {
    if (reading === null) {
      reading = read();
      reading.catch(() => {
        reading = null;
      });
    }
    return reading;
  };
}

async function read(): Promise<Viewer> {
  const plain = await readFile(VIEWER_FILE);
  return { plain, gzipped: await compress(plain) };
}
