import { expect } from 'chai';
import type { Exit } from '#dev/processes/start-process';
import { type ObservedProcess, superviseService, type UnexpectedExit } from './supervise.js';

interface FakeProcess extends ObservedProcess {
  exit(exit: Partial<Exit>): void;
}

function createFakeProcess(pid: number): FakeProcess {
  const { promise: exited, resolve } = Promise.withResolvers<Exit>();
  const exit = (how: Partial<Exit>) => resolve({ code: null, signal: null, ...how });
  const kill = () => exit({ signal: 'SIGKILL' });
  const lastLine = () => `last line of ${pid}`;
  return { exited, exit, kill, stop: kill, lastLine } as unknown as FakeProcess;
}

async function supervise() {
  const launched: FakeProcess[] = [];
  const reported: UnexpectedExit[] = [];
  const service = await superviseService({
    name: 'dispatcher',
    async launch() {
      const process = createFakeProcess(launched.length + 1);
      launched.push(process);
      return process;
    },
    onExit: (exit) => reported.push(exit),
    onFreeze: () => {},
    onStop: () => {},
  });
  return { service, launched, reported };
}

describe('supervised service', () => {
  // A second kill during the replacement once hit the process that had already exited.
  it('counts as many exits as kills', async () => {
    const { service, reported } = await supervise();
    for (let kills = 0; kills < 3; kills += 1) await service.kill();
    expect(reported.map(({ how }) => how)).to.deep.equal(['SIGKILL', 'SIGKILL', 'SIGKILL']);
    expect(service.exits()).to.have.length(3);
  });

  it('records how a process exited and its last line', async () => {
    const { service, launched } = await supervise();
    launched[0]?.exit({ code: 1 });
    await launched[0]?.exited;
    await service.kill();
    expect(service.exits()).to.deep.equal([
      { how: 'exit code 1', lastLine: 'last line of 1' },
      { how: 'SIGKILL', lastLine: 'last line of 2' },
    ]);
  });

  it('ends a replacement that starts while the service is stopped', async () => {
    const { service, launched, reported } = await supervise();
    launched[0]?.exit({ signal: 'SIGKILL' });
    await launched[0]?.exited;
    await new Promise(setImmediate);
    await service.stop();
    expect(reported).to.have.length(1);
    for (const process of launched) expect((await process.exited).signal).to.equal('SIGKILL');
  });
});
