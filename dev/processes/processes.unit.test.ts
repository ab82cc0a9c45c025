import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { chooseFreePorts } from './free-ports.js';
import { poll } from './poll.js';
import { parseThread, parseUsage, readThreads } from './proc-files.js';
import { describeExit } from './start-process.js';
import { restartBackoffMs } from './supervise.js';

describe('free ports', () => {
  it('are all different', async () => {
    const ports = await chooseFreePorts([undefined, undefined, undefined, undefined]);
    expect(new Set(ports).size).to.equal(4);
    expect(await chooseFreePorts(ports)).to.deep.equal(ports);
  });

  it('are the preferred ones unless these are in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const taken = (server.address() as AddressInfo).port;
    const [free = 0] = await chooseFreePorts([undefined]);
    const [first, second] = await chooseFreePorts([taken, free]);
    expect(first).not.to.equal(taken);
    expect(second).to.equal(free);
    server.close();
  });
});

describe('polling', () => {
  const options = { everyMs: 1, timeoutMs: 200, what: 'the thing' };

  it('repeats until there is a value, and treats a rejection as not yet', async () => {
    let calls = 0;
    const probe = async () => {
      calls += 1;
      if (calls === 1) throw new Error('not yet');
      return calls === 3 ? 'value' : undefined;
    };
    expect(await poll(probe, options)).to.equal('value');
  });

  it('fails with the awaited event and the last reason', async () => {
    const probe = () => Promise.reject(new Error('refused'));
    const error = await poll(probe, { ...options, timeoutMs: 5 }).catch((reason: Error) => reason);
    expect((error as Error).message).to.equal('the thing did not happen within 0.005 s: refused');
  });

  it('ends when it is aborted', async () => {
    const signal = AbortSignal.timeout(5);
    const polling = poll(async () => undefined, { ...options, timeoutMs: 5_000, signal });
    const error = await polling.catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error).with.property('message').that.does.not.contain('did not happen');
  });
});

describe('restarting a process', () => {
  it('waits half a second at first and ten at most', () => {
    const waits = [1, 2, 3, 4, 5, 6, 7].map(restartBackoffMs);
    expect(waits).to.deep.equal([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('describes how it ended', () => {
    expect(describeExit({ code: 3, signal: null })).to.equal('exit code 3');
    expect(describeExit({ code: null, signal: 'SIGKILL' })).to.equal('SIGKILL');
    expect(describeExit({ code: null, signal: null })).to.equal('no such program');
  });
});

describe('process statistics in /proc', () => {
  const stat = (name: string) => `42 (${name}) S 1 2 3 4 5 6 7 8 9 10 250 150 0 0 20 0 1 0 100 1000 200`;
  const status = 'Name:\tnode\nVmPeak:\t 99 kB\nVmHWM:\t    2048 kB\nVmRSS:\t    1024 kB\n';

  it('contain CPU time, resident memory and its peak, for any process name', () => {
    for (const name of ['node', 'a) b (c'])
      expect(parseUsage(stat(name), status)).to.deep.equal({
        cpuSeconds: 4,
        memory: { resident: 1_048_576, peak: 2_097_152 },
      });
  });

  it('yield null when one is truncated', () => {
    expect(parseUsage('42 (node) S 1 2', status)).to.equal(null);
    expect(parseUsage(stat('node'), 'Name:\tnode\n')).to.equal(null);
  });
});

describe('threads in /proc', () => {
  /** Recorded from MongoDB, without the fields after the start. */
  const stat =
    '22221 (OplogVi.yThread) S 22065 22094 22094 0 -1 4194368 3 0 0 0 4 20 0 0 20 0 64 0 4182784 3109879808 66399';
  const schedstat = '247059433 1694083907 9120\n';

  it('contain number, start, name and CPU time', () => {
    expect(parseThread(stat, schedstat)).to.deep.equal({
      id: 22_221,
      startedAtTick: 4_182_784,
      name: 'OplogVi.yThread',
      cpuSeconds: 0.247059433,
    });
  });

  it('may have a name with blanks and parentheses', () => {
    const named = (name: string) => parseThread(stat.replace('OplogVi.yThread', name), schedstat)?.name;
    for (const name of ['C1 CompilerThre', 'a) (b) c']) expect(named(name)).to.equal(name);
  });

  it('yield null when a file is truncated', () => {
    expect(parseThread('22221 (OplogVi', schedstat)).to.equal(null);
    expect(parseThread(stat, '')).to.equal(null);
  });

  it('are unknown when the process is gone', () => {
    expect(readThreads(2 ** 22 + 1)).to.equal(null);
  });
});
