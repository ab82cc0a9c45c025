import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { type SilentNameServer, silentNameServer } from '../dead-names/silent-name-server.js';
import type { GeneratorCalls } from '../generator/main.js';
import { type Dispatcher, startDispatcher } from '../processes/dispatcher.js';
import { type Meter, startMeter } from '../processes/meter.js';
import { type Remote, startRemote } from '../processes/remote.js';
import type { ReceiverCalls, ReceiverNotice } from '../receiver/main.js';
import type { World } from '../world/world.js';
import type { Setup } from './stage.js';

/** The processes of one measurement. */
export interface Crew {
  readonly receiver: Remote<ReceiverCalls, ReceiverNotice>;
  readonly generator: Remote<GeneratorCalls, never>;
  /** Those that are running, in the order of their start. */
  readonly dispatchers: readonly Dispatcher[];
  /** The logs of all dispatchers that there were. */
  readonly logs: readonly string[];
  /** For what they write down. */
  readonly directory: string;
  /** Aborted once one of them has died, or all is given up. */
  readonly signal: AbortSignal;
  /** Starts one more dispatcher. */
  start(): Promise<void>;
  /** Stops a dispatcher. @throws Error when it does not end well */
  stop(dispatcher: Dispatcher): Promise<void>;
  /** Measures what they and the servers use from now on, and the dispatchers that come later. */
  measure(): Meter;
  /** Ends everything within seconds. */
  dismiss(): Promise<void>;
}

/** Assembles receiver and generator; dispatchers are started one by one. */
export async function assembleCrew(bench: Bench, setup: Setup, world: World): Promise<Crew> {
  const directory = await mkdtemp(join(bench.directory, 'measurement-'));
  const names = needsSilence(setup) ? await silentNameServer() : null;
  const broken = new AbortController();
  const signal = AbortSignal.any([bench.signal, broken.signal]);
  const receiver = startRemote<ReceiverCalls, ReceiverNotice>('the receiver', moduleOf('receiver/main'));
  const generator = startRemote<GeneratorCalls>('the generator', moduleOf('generator/main'));
  void receiver.ended.then((how) => broken.abort(new Error(`the receiver ${how}`)));
  void generator.ended.then((how) => broken.abort(new Error(`the generator ${how}`)));
  const dispatchers: Dispatcher[] = [];
  const logs: string[] = [];
  const meters: Meter[] = [];

  const start = async () => {
    const logFile = join(directory, `dispatcher-${logs.length + 1}.log`);
    logs.push(logFile);
    const env = { ...world.env, ...setup.env, ...(names && { BENCH_NAME_SERVER: names.address }) };
    const nodeArgs = [...profileArgs(bench), ...nameServerArgs(names)];
    const dispatcher = await startDispatcher({ env, nodeArgs, logFile, guard: bench.guard, signal });
    dispatchers.push(dispatcher);
    for (const meter of meters) meter.watch(watched('dispatcher', dispatcher.pid));
    void dispatcher.exited.then(() => {
      if (dispatchers.includes(dispatcher)) broken.abort(new Error('a dispatcher died'));
    });
  };
  return {
    receiver,
    generator,
    dispatchers,
    logs,
    directory,
    signal,
    start,
    async stop(dispatcher) {
      const index = dispatchers.indexOf(dispatcher);
      if (index >= 0) dispatchers.splice(index, 1);
      await dispatcher.stop();
    },
    measure() {
      const own = [watched('receiver', receiver.pid), watched('generator', generator.pid)];
      const all = [...dispatchers.map(({ pid }) => watched('dispatcher', pid)), ...own];
      const meter = startMeter([...all, ...bench.serverProcesses]);
      meters.push(meter);
      return meter;
    },
    async dismiss() {
      names?.close();
      for (const meter of meters) meter.stop();
      await Promise.all(dispatchers.splice(0).map((dispatcher) => dispatcher.dismiss()));
      await Promise.all([receiver.end(), generator.end()]);
    },
  };
}

function watched(name: string, pid: number) {
  return { name, pid, fresh: true };
}

function moduleOf(name: string): URL {
  return new URL(`../${name}.js`, import.meta.url);
}

function needsSilence({ groups }: Setup): boolean {
  return groups.some(({ place }) => place.kind === 'unresolvable');
}

function profileArgs({ options }: Bench): string[] {
  return options.profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profiles}`];
}

function nameServerArgs(names: SilentNameServer | null): string[] {
  return names === null ? [] : ['--import', moduleOf('dead-names/use-name-server').href];
}
