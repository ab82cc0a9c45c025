import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { type SilentNameServer, silentNameServer } from '../dead-names/silent-name-server.js';
import type { GeneratorCalls } from '../generator/main.js';
import { type Dispatcher, startDispatcher } from '../processes/dispatcher.js';
import { type Remote, startRemote } from '../processes/remote.js';
import type { ReceiverCalls, ReceiverNotice } from '../receiver/main.js';
import type { World } from '../world/world.js';
import type { Setup } from './stage.js';

/** The processes of one measurement. */
export interface Crew {
  readonly receiver: Remote<ReceiverCalls, ReceiverNotice>;
  readonly generator: Remote<GeneratorCalls, never>;
  /** Those that are running, in the order of their start. */
  readonly dispatchers: Dispatcher[];
  /** The logs of all dispatchers that there were. */
  readonly logs: string[];
  readonly directory: string;
  /** Aborted once one of them has died, or all is given up. */
  readonly signal: AbortSignal;
  start(): Promise<Dispatcher>;
  /** Stops a dispatcher. @throws Error when it does not end well */
  stop(dispatcher: Dispatcher): Promise<void>;
  /** Ends everything at once. */
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
  const dismissed = (dispatcher: Dispatcher) =>
    dispatchers.splice(dispatchers.indexOf(dispatcher), dispatchers.includes(dispatcher) ? 1 : 0);

  return {
    receiver,
    generator,
    dispatchers,
    logs,
    directory,
    signal,
    async start() {
      const logFile = join(directory, `dispatcher-${logs.length + 1}.log`);
      logs.push(logFile);
      const env = { ...world.env, ...setup.env, ...(names && { BENCH_NAME_SERVER: names.address }) };
      const nodeArgs = [...profileArgs(bench), ...nameServerArgs(names)];
      const dispatcher = await startDispatcher({ env, nodeArgs, logFile, guard: bench.guard, signal });
      dispatchers.push(dispatcher);
      void dispatcher.exited.then(() => {
        if (dispatchers.includes(dispatcher)) broken.abort(new Error('a dispatcher died'));
      });
      return dispatcher;
    },
    async stop(dispatcher) {
      dismissed(dispatcher);
      await dispatcher.stop();
    },
    async dismiss() {
      names?.close();
      for (const dispatcher of dispatchers.splice(0)) {
        dispatcher.kill();
        await dispatcher.exited;
      }
      await Promise.all([receiver.end(), generator.end()]);
    },
  };
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
