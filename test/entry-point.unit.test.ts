import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PROGRAM_NAMES } from '#dev/programs/programs';

const ENTRY_POINT = fileURLToPath(new URL('../../deploy/image/postrider.mjs', import.meta.url));

const run = promisify(execFile);

describe('the entry point of the image', () => {
  it('knows every program that the build writes', async () => {
    const { stdout } = await run(process.execPath, [ENTRY_POINT, '--help']);
    expect(stdout).to.equal(`usage: postrider <${PROGRAM_NAMES.join(' | ')}> [argument …]\n`);
  });

  // Regression: the first process of a container ignored Ctrl-C, because it had no handler of SIGINT.
  for (const [signal, exitCode] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends a command on ${signal}`, async () => {
      const silentApi = createServer().listen(0, '127.0.0.1');
      await once(silentApi, 'listening');
      const { port } = silentApi.address() as AddressInfo;
      const env = {
        ...process.env,
        POSTRIDER_URL: `http://127.0.0.1:${port}`,
        POSTRIDER_TOKEN: 'prt_1',
      };
      const running = spawn(process.execPath, [ENTRY_POINT, 'cli', 'whoami'], { env, stdio: 'ignore' });
      try {
        await once(silentApi, 'request');
        running.kill(signal);
        expect(await once(running, 'exit')).to.deep.equal([exitCode, null]);
      } finally {
        running.kill('SIGKILL');
        silentApi.closeAllConnections();
        silentApi.close();
      }
    });
  }
});
