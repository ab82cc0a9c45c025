import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { chooseFreePorts } from '#dev/processes/free-ports';
import { ROOT } from '#dev/start/paths';
import { createExampleValues } from './example-values.js';
import { PAGES } from './pages.js';
import { recordPage } from './record.js';
import { type Running, startInTerminal, startShell } from './shell.js';

// Runs the terminal sessions of the pages as a reader would, and writes what they print into the pages. With --check it
// writes nothing, and fails when a page would change.

/** A folder with the entries of the checkout and the command, so that files which a session makes stay out of it. */
function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-sessions-'));
  for (const name of readdirSync(ROOT)) symlinkSync(join(ROOT, name), join(folder, name));
  mkdirSync(join(folder, '.bin'));
  symlinkSync(join(ROOT, 'cli/postrider.js'), join(folder, '.bin/postrider'));
  return folder;
}

/** The reader's own receiver on port 3000, which accepts everything. */
async function startOwnReceiver(port: number): Promise<() => void> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(204).end());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return () => void server.close();
}

/** Columns are wider where a longer port stands for the one of the page. */
const squeeze = (text: string) => text.replaceAll(/ {2,}/g, '  ');

const isCheck = process.argv.includes('--check');
const [api = 0, own = 0, verifying = 0] = await chooseFreePorts([8_080, 3_000, 9_000]);
const values = createExampleValues([
  ['127.0.0.1:8080', `127.0.0.1:${api}`],
  ['localhost:3000', `127.0.0.1:${own}`],
  ['9000', String(verifying)],
]);
const folder = makeFolder();
const env = {
  ...process.env,
  PATH: [join(folder, '.bin'), join(ROOT, 'node_modules/.bin'), process.env.PATH].join(delimiter),
  XDG_CONFIG_HOME: join(folder, '.config'),
  NO_COLOR: '1',
  npm_config_progress: 'false',
  POSTRIDER_PORT: String(api),
  POSTRIDER_RETRY_STEP: '1s',
};
const started: { stop(): unknown }[] = [{ stop: await startOwnReceiver(own) }];
let changed = 0;
try {
  for (const page of PAGES) {
    const file = join(ROOT, page);
    const text = readFileSync(file, 'utf8');
    const shell = startShell({ folder, env });
    started.push(shell);
    const start = (command: string): Running => {
      const running = startInTerminal(command, { folder, env });
      started.push(running);
      return running;
    };
    const now = await recordPage(text, { shell, values, start });
    if (squeeze(now) === squeeze(text)) continue;
    changed += 1;
    if (!isCheck) writeFileSync(file, now);
    console.log(`${page}: ${isCheck ? 'a session prints something else now' : 'written'}`);
  }
} finally {
  for (const one of started.toReversed()) await one.stop();
  rmSync(folder, { recursive: true });
}
console.log(changed === 0 ? 'all sessions print what the pages show' : `${changed} pages differ`);
process.exitCode = isCheck && changed > 0 ? 1 : 0;
