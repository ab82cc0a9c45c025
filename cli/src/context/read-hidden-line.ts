import { createInterface } from 'node:readline';
import { type Readable, Writable } from 'node:stream';

/** Reads a line from a terminal without showing it. Empty if the input ends before. */
export function readHiddenLine(stdin: Readable): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  // The terminal passes Ctrl-C on as a character while it hides its input.
  lines.once('SIGINT', () => {
    lines.close();
    process.kill(process.pid, 'SIGINT');
  });
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => resolve(''));
  });
}
