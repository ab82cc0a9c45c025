import { type LogLine, type ServiceName, startService } from '#dev/processes/start-service';
import type { Disruption } from '../oracle/evidence.js';
import { createDisruptionLog } from './disruptions.js';
import {
  KILLED,
  type ObservedProcess,
  type SupervisedService,
  superviseService,
  type UnexpectedExit,
} from './supervise.js';

export interface StartOptions {
  /** Additional variables. Called at each start, so that a replacement may differ. */
  readonly env?: () => Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

/** The processes of all services. */
export interface Services {
  /** Resolves when the service is ready. */
  start(name: ServiceName, options?: StartOptions): Promise<SupervisedService>;
  /** Like `start`, without waiting until it is ready. */
  launch(name: ServiceName, options?: StartOptions): Promise<SupervisedService>;
  running(name: ServiceName): readonly SupervisedService[];
  /** Stops the services of this name; all by default. */
  stopAll(name?: ServiceName): Promise<void>;
  /** From now on a partition that moves to another process is a disruption. */
  watchReassignments(): void;
  disruptions(): readonly Disruption[];
  /** Processes that were killed, from outside or at a failpoint, or frozen. */
  kills(): number;
  /** Exits of processes that were neither stopped nor killed. */
  failures(): readonly (UnexpectedExit & { readonly name: ServiceName })[];
}

/** @param directory where each process has its log */
export function createServices(
  env: Readonly<Record<string, string>>,
  directory: string,
  log: (line: string) => void,
): Services {
  const services = new Set<SupervisedService>();
  const failures: (UnexpectedExit & { readonly name: ServiceName })[] = [];
  const disruptions = createDisruptionLog(Date.now);
  let launches = 0;
  let kills = 0;
  const launchProcess = async (name: ServiceName, options: StartOptions): Promise<ObservedProcess> => {
    launches += 1;
    const observer = createObserver();
    const service = await startService({
      name,
      env: { ...process.env, ...env, ...options.env?.() },
      logFile: `${directory}/${name}-${launches}.log`,
      nodeArgs: options.nodeArgs ?? [],
      onLine(line, entry) {
        observer.onLine(line, entry);
        const { event, groupId, assignment = {} } = entry ?? {};
        if (event === 'consumer.joined' && groupId?.endsWith('.dispatcher'))
          disruptions.assigned(observer, assignment);
      },
    });
    if (name === 'dispatcher') void service.exited.then(() => disruptions.exited(observer));
    return Object.assign(service, observer);
  };
  const launch = async (name: ServiceName, options: StartOptions = {}) => {
    const service = await superviseService({
      name,
      launch: () => launchProcess(name, options),
      onExit(exit) {
        if (exit.how === KILLED) kills += 1;
        else {
          log(`${name} ended unexpectedly (${exit.how})`);
          failures.push({ ...exit, name });
        }
      },
      onFreeze() {
        if (name === 'dispatcher') disruptions.reassigned();
        kills += 1;
      },
      onStop: () => services.delete(service),
    });
    services.add(service);
    return service;
  };
  const running = (name?: ServiceName) =>
    [...services].filter((service) => name === undefined || service.name === name);
  return {
    launch,
    running,
    async start(name, options) {
      const service = await launch(name, options);
      await service.ready();
      return service;
    },
    async stopAll(name) {
      await Promise.all(running(name).map((service) => service.stop()));
    },
    watchReassignments: disruptions.reset,
    disruptions: disruptions.list,
    kills: () => kills,
    failures: () => failures,
  };
}

/** Reads from the log of a process when it got its partitions. */
function createObserver() {
  const groups = new Map<string, { readonly partitions: number; readonly at: number }>();
  let last = '';
  let isReady = false;
  return {
    onLine(line: string, entry: LogLine | null) {
      last = line;
      const { event, groupId, assignment } = entry ?? {};
      isReady ||= event === 'ready';
      if (groupId === undefined || assignment === undefined) return;
      groups.set(groupId, { partitions: Object.values(assignment).flat().length, at: Date.now() });
    },
    lastLine: () => last,
    partitionsSince() {
      const all = [...groups.values()];
      const hasPartitions = isReady && all.length > 0 && all.every(({ partitions }) => partitions > 0);
      return hasPartitions ? Math.min(...all.map(({ at }) => at)) : null;
    },
  };
}
