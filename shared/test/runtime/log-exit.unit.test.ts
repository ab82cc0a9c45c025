import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const LOG = fileURLToPath(new URL('../../src/runtime/log.js', import.meta.url));

/** A process that logs a line, then ends as services do, once its standard input is closed. */
const PROGRAM = `
  const { createLog } = await import(${JSON.stringify(LOG)});
  const log = createLog({ service: 'test', level: 'info', pretty: false });
  process.stdin.resume().once('end', () => {
    END
  });
`;

async function exitCodeOf(end: string, readsLog: boolean): Promise<{ code: number | null; lines: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM.replace('END', end)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 8_000,
  });
  let lines = '';
  child.stdout.on('data', (chunk) => {
    lines += chunk;
  });
  if (!readsLog) child.stdout.destroy();
  child.stdin.end();
  const [code] = await once(child, 'close');
  return { code, lines };
}

describe('log of a process that ends', () => {
  const ENDS = {
    'exits at once': "log.info('ending'); process.exit(3);",
    'flushes its log before': "log.info('ending'); log.flush(() => process.exit(3));",
    'exits when the line was written': "log.info('ending'); setTimeout(() => process.exit(3), 100);",
    'flushes its log when the line was written':
      "log.info('ending'); setTimeout(() => log.flush(() => process.exit(3)), 100);",
  };
  for (const [name, end] of Object.entries(ENDS)) {
    it(`is written completely if the process ${name}`, async () => {
      const { code, lines } = await exitCodeOf(end, true);
      expect(code).to.equal(3);
      expect(lines).to.match(/"msg":"ending"\}\n$/);
    });

    it(`does not keep the process if nothing reads the log and it ${name}`, async () => {
      expect(await exitCodeOf(end, false)).to.deep.equal({ code: 3, lines: '' });
    });
  }

  it('does not keep the process if nothing reads the log and it never wrote a line', async () => {
    expect(await exitCodeOf('process.exit(3);', false)).to.deep.equal({ code: 3, lines: '' });
  });
});
