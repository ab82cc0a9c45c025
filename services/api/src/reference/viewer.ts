import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** The viewer's script as the installed package has it. */
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
  const main = import.meta.resolve('@scalar/api-reference');
  const plain = await readFile(new URL('./browser/standalone.js', main));
  return { plain, gzipped: await compress(plain) };
}
