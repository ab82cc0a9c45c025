import { expect } from 'chai';
import type { ThreadedUsage } from '../measure/thread-parts.js';
import {
  findThreadedProcesses,
  parseThreadNames,
  serversWithoutThreads,
  startThreadMeter,
} from './server-threads.js';

describe('threads of servers', () => {
  const mongod = { server: 'mongod', pid: 1, names: new Map() } as const;
  const usage = (cpuSeconds: number): ThreadedUsage => {
    return { cpuSeconds, threads: [{ id: 2, startedAtTick: 5, name: 'conn1', cpuSeconds }] };
  };

  it('are measured between start and stop', () => {
    const now = new Map([[1, usage(10)]]);
    const meter = startThreadMeter([mongod], (pid) => now.get(pid) ?? null);
    now.set(1, usage(12));
    const times = meter.stop().get('mongod');
    expect([times?.get('all'), times?.get('connections')]).to.deep.equal([2e6, 2e6]);
  });

  it('are missing if the system does not show them, or no longer', () => {
    expect(startThreadMeter([mongod], () => null).stop()).to.have.property('size', 0);
    const now = new Map([[1, usage(10)]]);
    const meter = startThreadMeter([mongod], (pid) => now.get(pid) ?? null);
    now.clear();
    expect(meter.stop()).to.have.property('size', 0);
  });

  it('are unknown for servers that run elsewhere', () => {
    expect(serversWithoutThreads([])).to.deep.equal(['mongod', 'kafka']);
  });

  it('have no other names if there is no JDK', async () => {
    const own = { name: 'kafka', pid: process.pid, fresh: false };
    expect(await findThreadedProcesses([own])).to.deep.equal([
      { server: 'kafka', pid: process.pid, names: new Map() },
    ]);
  });
});

describe('names of threads', () => {
  it('are read from the dump of a Java process', () => {
    const dump = [
      '"main" #1 prio=5 os_prio=0 cpu=931.09ms elapsed=55.32s tid=0x00007f6a24018c90 nid=0x5650 waiting on condition  [0x00007f6a28bfe000]',
      '   java.lang.Thread.State: WAITING (parking)',
      '\tat jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)',
      '"data-plane-kafka-request-handler-0" #71 daemon prio=5 os_prio=0 cpu=1541.76ms elapsed=52.93s tid=0x00007f6a24440ba0 nid=0x5706 waiting on condition  [0x00007f699a3fe000]',
      '"VM Thread" os_prio=0 cpu=325.32ms elapsed=55.18s tid=0x00007f6a240494d0 nid=0x5660 runnable  ',
    ].join('\n');
    expect([...parseThreadNames(dump)]).to.deep.equal([
      [0x5650, 'main'],
      [0x5706, 'data-plane-kafka-request-handler-0'],
      [0x5660, 'VM Thread'],
    ]);
  });

  it('are read with the decimal numbers of later Java versions', () => {
    const dump =
      '"Signal Dispatcher" #10 [4711] daemon prio=9 os_prio=0 cpu=0.2ms elapsed=9.1s tid=0x00007f27 nid=4711 waiting';
    expect([...parseThreadNames(dump)]).to.deep.equal([[4_711, 'Signal Dispatcher']]);
  });
});
