import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameServer, type Reply } from '@postrider/shared/testing/name-server';
import type { ServiceName, ServiceProcess } from '#dev/processes/start-service';
import type { Generator } from '../generator/generator.js';
import type { Blocks } from '../measure/blocks.js';
import { type Counts, sumOf } from '../measure/counts.js';
import { type Meter, startMeter } from '../processes/meter.js';
import { readReport } from '../processes/read-report.js';
import { startRemote } from '../processes/remote.js';
import { dismissService, type JobName, runJob, startService, stopService } from '../processes/service.js';
import { CERTIFICATE } from '../receiver/certificate.js';
import type { BenchReceiver, ReceiverEvents } from '../receiver/receiver.js';
import type { Context } from '../scenario.js';
import type { Setup } from './environment.js';
import { createNamespace } from './namespace.js';
import { addressOfName } from './population.js';

/** The processes of one measurement. */
export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** Creates a namespace, and starts receiver and generator; services are started one by one. */
export async function startProcesses(context: Context, setup: Setup) {
  const { groups, env: overrides, countRequests = false, measureBlocks = false } = setup;
  const namespace = await createNamespace(context);
  const directory = await mkdtemp(join(context.directory, 'measurement-'));
  const usesTls = groups.some(({ tls }) => tls);
  const needsNames = usesTls || groups.some(({ place, named }) => named || place === 'unresolvable');
  const names = needsNames ? await nameServer(replyTo) : null;
  const died = new AbortController();
  const signal = AbortSignal.any([context.signal, died.signal]);
  const generator = startRemote<Generator>('the generator', moduleOf('generator/generator'));
  const posts: Record<string, number> = {};
  const events: ReceiverEvents = {
    counts(counts) {
      Object.assign(posts, counts);
      const arrived = Object.values(posts).reduce((sum, count) => sum + count, 0);
      generator.calls.arrived.asEvent(arrived).catch(() => {});
    },
  };
  const receiver = startRemote<BenchReceiver>('the receiver', moduleOf('receiver/receiver'), events);
  void receiver.ended.then((how) => died.abort(new Error(`the receiver ${how}`)));
  void generator.ended.then((how) => died.abort(new Error(`the generator ${how}`)));
  signal.addEventListener('abort', () => void generator.kill(), { once: true });
  const services: ServiceProcess[] = [];
  const logs: string[] = [];
  const meters: Meter[] = [];

  const ca = join(directory, 'ca.pem');
  if (usesTls) await writeFile(ca, CERTIFICATE.cert);
  const env = {
    ...namespace.env,
    ...overrides,
    ...(names && { BENCH_NAME_SERVER: names.address }),
    ...(usesTls && { NODE_EXTRA_CA_CERTS: ca }),
  };
  const nodeArgs = [
    ...profileArgs(context),
    ...(names === null ? [] : ['--import', moduleOf('processes/use-name-server').href]),
    ...(countRequests ? ['--import', moduleOf('processes/count-requests').href] : []),
    ...(measureBlocks ? ['--import', moduleOf('processes/measure-blocks').href] : []),
  ];
  const reports = new Map<number, { readonly requests: string; readonly blocks: string }>();
  const reportOf = <T>({ pid }: ServiceProcess, what: 'requests' | 'blocks') =>
    readReport<T>({ pid, file: reports.get(pid)?.[what] ?? '' });
  const optionsFor = (name: ServiceName | JobName) => {
    const logFile = join(directory, `${name}-${logs.length + 1}.log`);
    logs.push(logFile);
    return { env, logFile, signal };
  };
  const watch = (name: string, pid: number) => {
    for (const meter of meters) meter.watch({ name, pid, fresh: true });
  };
  return {
    namespace,
    receiver,
    generator,
    /** POSTs received so far, by group. */
    posts,
    /** Running services in the order of their start. */
    services: services as readonly ServiceProcess[],
    /** The log files of all services and jobs. */
    logs,
    /** For logs. */
    directory,
    /** Aborted once a process has died or the run is aborted. */
    signal,
    /** Starts one more process of a service. Resolves once it is ready. */
    async start(name: ServiceName): Promise<ServiceProcess> {
      const options = optionsFor(name);
      const [requests, blocks] = ['requests', 'blocks'].map((what) => `${options.logFile}.${what}.json`) as [
        string,
        string,
      ];
      const reporting = { ...env, BENCH_REQUESTS_FILE: requests, BENCH_BLOCKS_FILE: blocks };
      const service = await startService(name, { nodeArgs, ...options, env: reporting });
      reports.set(service.pid, { requests, blocks });
      services.push(service);
      watch(name, service.pid);
      void service.exited.then(() => {
        if (services.includes(service)) died.abort(new Error(`a process of the ${name} died`));
      });
      return service;
    },
    /** Stops a service. @throws Error if it does not exit cleanly */
    async stop(service: ServiceProcess): Promise<void> {
      const index = services.indexOf(service);
      if (index >= 0) services.splice(index, 1);
      await stopService(service);
    },
    /** Ends a service with SIGKILL. */
    async kill(service: ServiceProcess): Promise<void> {
      const index = services.indexOf(service);
      if (index >= 0) services.splice(index, 1);
      service.kill();
      await service.exited;
    },
    /** Requests of all services to the broker so far, by name. The measurement must ask for counting. */
    kafkaRequests: async (): Promise<Counts> =>
      sumOf(await Promise.all(services.map((one) => reportOf<Counts>(one, 'requests')))),
    /** How long the event loop of a service was blocked at most since the last call. The measurement must ask for it. */
    longestBlock: (service: ServiceProcess) => reportOf<Blocks>(service, 'blocks'),
    /** Runs a job to its end. @throws Error if it fails */
    run: (name: JobName): Promise<void> => runJob(name, optionsFor(name), (pid) => watch(name, pid)),
    /** Measures from now on what these processes, the servers and processes started later use. */
    measure(): Meter {
      const tools = [
        { name: 'receiver', pid: receiver.pid },
        { name: 'generator', pid: generator.pid },
      ];
      const own = [...services, ...tools].map(({ name, pid }) => ({ name, pid, fresh: true }));
      const meter = startMeter([...own, ...context.serverProcesses]);
      meters.push(meter);
      return meter;
    },
    /** Ends all processes within seconds and drops the namespace. */
    async close(): Promise<void> {
      await names?.close();
      for (const meter of meters) meter.stop();
      await Promise.all(services.splice(0).map(dismissService));
      await Promise.all([receiver.kill(), generator.kill()]);
      await namespace.drop();
    },
  };
}

/** A name that is not one of a receiver is never answered. */
function replyTo(name: string): Reply {
  const address = addressOfName(name);
  return address === null ? 'silence' : { addresses: [address] };
}

/** Arguments that make Node write CPU profiles, if the options request them. */
export function profileArgs({ options }: Pick<Context, 'options'>): string[] {
  return options.profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profiles}`];
}

function moduleOf(name: string): URL {
  return new URL(`../${name}.js`, import.meta.url);
}
