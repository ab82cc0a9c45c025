import { expect } from 'chai';
import type { Exit } from '#dev/processes/start-process';
import { type End, type Member, takePlace } from './place.js';
import type { MemberProcess } from './service.js';

interface Fake extends MemberProcess {
  end(exit: Partial<Exit>): void;
}

function fakeProcess(pid: number): Fake {
  const exited = Promise.withResolvers<Exit>();
  const end = (exit: Partial<Exit>) => exited.resolve({ code: null, signal: null, ...exit });
  const signal = (signal: NodeJS.Signals) => end({ signal });
  return {
    name: 'dispatcher',
    pid,
    port: 1,
    metricsPort: 2,
    ready: Promise.resolve(),
    exited: exited.promise,
    signal,
    kill: () => signal('SIGKILL'),
    async stop() {
      signal('SIGKILL');
      return exited.promise;
    },
    partitionsSince: () => null,
    lastLine: () => `the last words of ${pid}`,
    end,
  };
}

async function place() {
  const launched: Fake[] = [];
  const died: End[] = [];
  const member: Member = await takePlace({
    name: 'dispatcher',
    async launch() {
      const process = fakeProcess(launched.length + 1);
      launched.push(process);
      return process;
    },
    died: (end) => died.push(end),
    frozen: () => {},
    left: () => {},
  });
  return { member, launched, died };
}

describe('a place in the processes', () => {
  // Two kills within the moment that a replacement takes were one death: the second hit a process that was dead already.
  it('has as many deaths as it has kills', async () => {
    const { member, died } = await place();
    await member.kill();
    await member.kill();
    await member.kill();
    expect(died.map(({ how }) => how)).to.deep.equal(['SIGKILL', 'SIGKILL', 'SIGKILL']);
    expect(member.deaths()).to.equal(3);
  });

  it('tells how somebody in it ended, and what it said last', async () => {
    const { member, launched } = await place();
    launched[0]?.end({ code: 1 });
    await launched[0]?.exited;
    await member.kill();
    expect(member.ends()).to.deep.equal([
      { how: 'exit code 1', lastLine: 'the last words of 1' },
      { how: 'SIGKILL', lastLine: 'the last words of 2' },
    ]);
  });

  it('ends whoever replaces somebody while it is given up', async () => {
    const { member, launched, died } = await place();
    launched[0]?.end({ signal: 'SIGKILL' });
    await launched[0]?.exited;
    await new Promise(setImmediate);
    await member.stop();
    expect(died).to.have.length(1);
    for (const process of launched) expect((await process.exited).signal).to.equal('SIGKILL');
  });
});
