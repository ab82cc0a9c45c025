import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { isAlive } from './proc-files.js';
import { startProcess } from './start-process.js';
import { supervise } from './supervise.js';

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

const untilGone = (pids: readonly number[]) => eventually(() => expect(pids.filter(isAlive)).to.be.empty);

describe('process guard', () => {
  /** Runs a program that guards processes, prints their ids and waits to be killed. */
  async function startParent(program: string) {
    const imports = `
      import { guard } from ${here('./guard.js')};
      import { startProcess } from ${here('./start-process.js')};
    `;
    const wait = 'setInterval(() => {}, 1000);';
    const parent = spawn(process.execPath, ['--input-type=module', '-e', imports + program + wait], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    return { parent, pids: JSON.parse(line) as number[] };
  }

  it('ends processes with their children and removes their data when its parent is killed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postrider-test-'));
    const stubborn = ['sh', '-c', "trap '' TERM; while :; do sleep 0.2; done"];
    const { parent, pids } = await startParent(`
      await guard().removeLater(${JSON.stringify(directory)});
      const pids = [];
      for (const [command, ...args] of ${JSON.stringify([['sleep', '600'], stubborn])})
        pids.push((await startProcess({ command, args })).pid);
      console.log(JSON.stringify([guard().pid, ...pids]));
    `);
    expect(pids.every(isAlive)).to.equal(true);
    parent.kill('SIGKILL');
    await untilGone(pids);
    expect(existsSync(directory)).to.equal(false);
  });

  it('does not end a forgotten process', async () => {
    const bystander = spawn('sleep', ['600']);
    const pid = bystander.pid ?? 0;
    const { parent, pids } = await startParent(`
      await guard().watch(${pid});
      await guard().forget(${pid});
      console.log(JSON.stringify([guard().pid]));
    `);
    parent.kill('SIGKILL');
    await untilGone(pids);
    expect(isAlive(pid)).to.equal(true);
    bystander.kill();
  });
});

describe('supervised process', () => {
  it('is restarted with another id when it dies, but not after a stop', async () => {
    const lines: string[] = [];
    const supervised = await supervise({
      name: 'sleeper',
      start: () => startProcess({ command: 'sleep', args: ['600'] }),
      report: (line) => lines.push(line),
      stopGraceMs: 1_000,
    });
    const first = supervised.pid;
    process.kill(first, 'SIGKILL');
    await eventually(() => expect(supervised.pid).not.to.equal(first));
    const second = supervised.pid;
    expect(isAlive(second)).to.equal(true);
    expect(lines[0]).to.equal('sleeper ended (SIGKILL); restarting it');
    await supervised.stop();
    await untilGone([second]);
  });

  it('fails its first start with the end of its log when it exits before it is ready', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postrider-test-'));
    const logFile = join(directory, 'broken.log');
    const args = ['-c', 'echo no such port; exit 3'];
    const untilReady = () => new Promise(() => {});
    const started = supervise({
      name: 'broken',
      start: () => startProcess({ name: 'broken', command: 'sh', args, logFile, untilReady }),
      report: () => {},
      stopGraceMs: 1_000,
    });
    const error = await started.catch((reason: Error) => reason);
    expect((error as Error).message).to.equal(
      `broken ended before it was ready (exit code 3); ${logFile} ends with\n  no such port`,
    );
    rmSync(directory, { recursive: true });
  });

  it('is killed when it ignores SIGTERM', async () => {
    const deaf = "trap '' TERM; echo deaf; while :; do sleep 0.1; done";
    const printed = Promise.withResolvers<void>();
    const onLine = () => printed.resolve();
    const running = await startProcess({ command: 'sh', args: ['-c', deaf], onLine });
    await printed.promise;
    expect((await running.stop(100)).signal).to.equal('SIGKILL');
  });
});
