import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { type NameServer, nameServer } from '@postrider/shared/testing/name-server';
import type { Bench } from '../bench.js';
import type { GeneratorCalls } from '../generator/main.js';
import { type JobName, startJob } from '../processes/job.js';
import { type Meter, startMeter } from '../processes/meter.js';
import { type Remote, startRemote } from '../processes/remote.js';
import { type Service, type ServiceName, startService } from '../processes/service.js';
import type { ReceiverCalls, ReceiverNotice } from '../receiver/main.js';
import type { World } from '../world/world.js';
import type { Setup } from './environment.js';

/** The processes of one measurement. */
export interface Processes {
  readonly receiver: Remote<ReceiverCalls, ReceiverNotice>;
  readonly generator: Remote<GeneratorCalls, never>;
  /** Those that are running, in the order of their start. */
  readonly services: readonly Service[];
  /** The logs of all services and jobs that there were. */
  readonly logs: readonly string[];
  /** For what they write down. */
  readonly directory: string;
  /** Aborted once one of them has died, or all is given up. */
  readonly signal: AbortSignal;
  /** Starts one more process of a service, and resolves once it is ready. */
  start(service: ServiceName): Promise<Service>;
  /** Stops a service. @throws Error when it does not end well */
  stop(service: Service): Promise<void>;
  /** Runs a job to its end. @throws Error when it does not end well */
  run(job: JobName): Promise<void>;
  /** Measures what they and the servers use from now on, and the processes that come later. */
  measure(): Meter;
  /** Ends everything within seconds. */
  dismiss(): Promise<void>;
}

/** Assembles receiver and generator; services are started one by one. */
export async function startProcesses(bench: Bench, setup: Setup, world: World): Promise<Processes> {
  const directory = await mkdtemp(join(bench.directory, 'measurement-'));
  const names = needsSilence(setup) ? await nameServer(() => 'silence') : null;
  const broken = new AbortController();
  const signal = AbortSignal.any([bench.signal, broken.signal]);
  const receiver = startRemote<ReceiverCalls, ReceiverNotice>('the receiver', moduleOf('receiver/main'));
  const generator = startRemote<GeneratorCalls>('the generator', moduleOf('generator/main'));
  void receiver.ended.then((how) => broken.abort(new Error(`the receiver ${how}`)));
  void generator.ended.then((how) => broken.abort(new Error(`the generator ${how}`)));
  const services: Service[] = [];
  const logs: string[] = [];
  const meters: Meter[] = [];

  const env = { ...world.env, ...setup.env, ...(names && { BENCH_NAME_SERVER: names.address }) };
  const nodeArgs = [...profileArgs(bench), ...nameServerArgs(names)];
  const surroundings = (name: ServiceName | JobName) => {
    const logFile = join(directory, `${name}-${logs.length + 1}.log`);
    logs.push(logFile);
    return { env, logFile, signal };
  };
  const watch = (name: string, pid: number) => {
    for (const meter of meters) meter.watch(watched(name, pid));
  };
  return {
    receiver,
    generator,
    services,
    logs,
    directory,
    signal,
    async start(name) {
      const service = await startService({ service: name, nodeArgs, ...surroundings(name) });
      services.push(service);
      watch(name, service.pid);
      void service.exited.then(() => {
        if (services.includes(service)) broken.abort(new Error(`a process of the ${name} died`));
      });
      return service;
    },
    async stop(service) {
      const index = services.indexOf(service);
      if (index >= 0) services.splice(index, 1);
      await service.stop();
    },
    async run(name) {
      const { pid, succeeded } = await startJob({ job: name, ...surroundings(name) });
      watch(name, pid);
      await succeeded;
    },
    measure() {
      const own = [watched('receiver', receiver.pid), watched('generator', generator.pid)];
      const all = [...services.map(({ name, pid }) => watched(name, pid)), ...own];
      const meter = startMeter([...all, ...bench.serverProcesses]);
      meters.push(meter);
      return meter;
    },
    async dismiss() {
      await names?.close();
      for (const meter of meters) meter.stop();
      await Promise.all(services.splice(0).map((service) => service.dismiss()));
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

function nameServerArgs(names: NameServer | null): string[] {
  return names === null ? [] : ['--import', moduleOf('dead-names/use-name-server').href];
}
