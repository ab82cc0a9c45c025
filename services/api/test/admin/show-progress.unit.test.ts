import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { showProgress } from '../../src/admin/show-progress.js';

const SHOW_CURSOR = '\u001b[?25h';
const WRAP_LINES = '\u001b[?7h';
const MODULE = new URL('../../src/admin/show-progress.js', import.meta.url).href;

/** An interactive terminal, and what was written to it. */
function createScreen() {
  const bar = Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY: true, columns: 80 });
  return { bar, written: () => String(bar.read()) };
}

describe('the progress of a command', () => {
  const shown = { unit: 'rows', total: 10 };
  const printError = () => {};

  it('returns what the work returns', async () => {
    const result = await showProgress({ printError }, shown, async (add) => {
      add(10);
      return 'done';
    });
    expect(result).to.equal('done');
  });

  // Regression: the bar was drawn for ever, and the command did not end.
  it('removes the bar when the work fails', async () => {
    const { bar, written } = createScreen();
    const listening = () => process.listenerCount('SIGINT');
    const before = listening();
    const failing = showProgress({ bar, printError }, shown, async () => {
      expect(listening()).to.equal(before + 1);
      throw new Error('connection lost');
    });
    const error = await failing.catch((reason: Error) => reason);
    expect(error).to.be.an('error').with.property('message', 'connection lost');
    expect(written()).to.include(SHOW_CURSOR).and.to.include(WRAP_LINES);
    expect(listening()).to.equal(before);
  });

  /** Runs a command with a bar and sends it the signal once the bar is drawn. @param before code that it runs first */
  const interrupted = async (signal: NodeJS.Signals, before = '') => {
    const script = `
      import { showProgress } from '${MODULE}';
      ${before}
      const bar = Object.assign(process.stdout, { isTTY: true, columns: 80 });
      await showProgress({ bar }, ${JSON.stringify(shown)}, () => new Promise((resolve) => setTimeout(resolve, 60_000)));`;
    const command = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    command.stdout.once('data', () => command.kill(signal));
    const [written, [code, endedBy]] = await Promise.all([text(command.stdout), once(command, 'exit')]);
    return { written, code, endedBy };
  };

  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    // Regression: the terminal was left without a cursor.
    it(`restores the terminal on ${signal}, which still ends the command`, async () => {
      const { written, endedBy } = await interrupted(signal);
      expect(endedBy).to.equal(signal);
      expect(written).to.include(SHOW_CURSOR).and.to.include(WRAP_LINES);
    });
  }

  it('restores the terminal before an earlier handler of the signal exits, as in the image', async () => {
    const { written, code } = await interrupted('SIGINT', `process.once('SIGINT', () => process.exit(130));`);
    expect(code).to.equal(130);
    expect(written).to.include(SHOW_CURSOR).and.to.include(WRAP_LINES);
  });
});
