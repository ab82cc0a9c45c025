import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { expect } from 'chai';
import { startGuard } from './guard.js';
import { poll } from './poll.js';
import { startProcess } from './start-process.js';
import { supervise } from './supervise.js';

const here = (file: string) => JSON.stringify(new URL(file, import.meta.url).href);

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

const untilGone = (pids: readonly number[]) =>
  poll(async () => (pids.some(isAlive) ? undefined : true), {
    everyMs: 20,
    timeoutMs: 8_000,
    what: `the end of processes ${pids.join(', ')}`,
  });

describe('the guard', () => {
  /** A parent that starts processes under a guard, prints their ids and waits to be killed. */
  async function startParent(commands: string[][], directory: string) {
    const program = `
      import { startGuard } from ${here('./guard.js')};
      import { startProcess } from ${here('./start-process.js')};
      const guard = startGuard();
      await guard.removeLater(${JSON.stringify(directory)});
      const pids = [];
      for (const [command, ...args] of ${JSON.stringify(commands)}) {
        const output = { file: '/dev/null' };
        pids.push((await startProcess({ command, args, output }, guard)).pid);
      }
      console.log(JSON.stringify([guard.pid, ...pids]));
      setInterval(() => {}, 1000);
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    return { parent: parent as ChildProcess, pids: JSON.parse(line) as number[] };
  }

  it('ends processes with their children and removes their data when its parent is killed', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postrider-test-'));
    const stubborn = ['sh', '-c', "trap '' TERM; while :; do sleep 0.2; done"];
    const { parent, pids } = await startParent([['sleep', '600'], stubborn], directory);
    expect(pids.every(isAlive)).to.equal(true);
    parent.kill('SIGKILL');
    await untilGone(pids);
    expect(existsSync(directory)).to.equal(false);
  });

  it('leaves alone what it was told to forget', async () => {
    const guard = startGuard();
    const bystander = spawn('sleep', ['600']);
    const pid = bystander.pid ?? 0;
    await guard.watchProcess(pid);
    guard.forget(pid);
    guard.close();
    await untilGone([guard.pid]);
    expect(isAlive(pid)).to.equal(true);
    bystander.kill();
  });
});

describe('a supervised process', () => {
  const guard = startGuard();
  after(() => guard.close());
  const output = { file: '/dev/null' };

  it('is started again with another id when it dies, and not once it is stopped', async () => {
    const lines: string[] = [];
    const supervised = await supervise(
      {
        name: 'sleeper',
        spec: () => ({ command: 'sleep', args: ['600'], output }),
        untilReady: async () => {},
        report: (line) => lines.push(line),
        stopGraceMs: 1_000,
      },
      guard,
    );
    const first = supervised.pid;
    process.kill(first, 'SIGKILL');
    const options = { everyMs: 10, timeoutMs: 5_000, what: 'a new process' };
    const second = await poll(async () => (supervised.pid === first ? undefined : supervised.pid), options);
    expect(isAlive(second)).to.equal(true);
    expect(lines[0]).to.equal('sleeper ended (SIGKILL); starting it again');
    await supervised.stop();
    await untilGone([second]);
  });

  it('that ends at once fails with an explanation', async () => {
    const started = supervise(
      {
        name: 'broken',
        spec: () => ({ command: 'sh', args: ['-c', 'exit 3'], output }),
        untilReady: () => new Promise(() => {}),
        explain: () => ', its log is empty',
        report: () => {},
        stopGraceMs: 1_000,
      },
      guard,
    );
    const error = await started.catch((reason: Error) => reason);
    expect((error as Error).message).to.equal('broken ended at once (exit code 3), its log is empty');
  });

  it('that does not listen to SIGTERM is killed', async () => {
    const deaf = "trap '' TERM; echo deaf; while :; do sleep 0.1; done";
    const said = Promise.withResolvers<void>();
    const take = (stream: Readable) => stream.once('data', () => said.resolve());
    const running = await startProcess({ command: 'sh', args: ['-c', deaf], output: { take } }, guard);
    await said.promise;
    expect((await running.stop(100)).signal).to.equal('SIGKILL');
  });
});
