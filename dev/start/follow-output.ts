import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Copies streams to a file as they come and tells about every line. */
export interface Output {
  readonly take: (stream: Readable) => void;
}

/** Starts a fresh log file; the streams of later processes go on in it. */
export function followOutput(file: string, onLine: (line: string) => void): Output {
  const log: WriteStream = createWriteStream(file, { flags: 'w', mode: 0o600 });
  log.on('error', () => {});
  return {
    take: (stream) => {
      stream.on('data', (chunk) => log.write(chunk));
      createInterface({ input: stream }).on('line', onLine);
    },
  };
}
