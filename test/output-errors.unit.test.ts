import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { programFile } from '#dev/programs/programs';

/** Every write to it fails as on a full disk. */
const FULL = '/dev/full';

for (const program of ['cli', 'admin'] as const)
  describe(`output of ${program} that cannot be written`, () => {
    const start = (args: readonly string[], stdio: readonly ('pipe' | number)[]) =>
      spawn(process.execPath, [programFile(program), ...args], { stdio: ['ignore', ...stdio] });
    const full = async (run: (descriptor: number) => Promise<void>) => {
      const descriptor = openSync(FULL, 'w');
      await run(descriptor).finally(() => closeSync(descriptor));
    };
    before(function () {
      if (!existsSync(FULL)) this.skip();
    });

    // Regression: both ended with a stack trace.
    it('is reported in one line', () =>
      full(async (descriptor) => {
        const running = start(['--help'], [descriptor, 'pipe']);
        const [printed, [exitCode]] = await Promise.all([text(running.stderr!), once(running, 'exit')]);
        expect(printed).to.match(
          /^\S+: standard output cannot be written: ENOSPC: no space left on device, write\n$/,
        );
        expect(exitCode).to.equal(1);
      }));

    it('does not change the exit code if it is an error message', () =>
      full(async (descriptor) => {
        const running = start(['--no-such-option'], ['pipe', descriptor]);
        const [printed, [exitCode]] = await Promise.all([text(running.stdout!), once(running, 'exit')]);
        expect(printed).to.equal('');
        expect(exitCode).to.equal(2);
      }));
  });
