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

interface ServicesParts {
  readonly env: Readonly<Record<string, string>>;
  /** Where each process has its log. */
  readonly directory: string;
  readonly log: (line: string) => void;
}

export function createServices({ env, directory, log }: ServicesParts): Services {
  const services = new Set<SupervisedService>();
  const failures: (UnexpectedExit & { readonly name: ServiceName })[] = [];
  const disruptions = createDisruptionLog(Date.now);
  let launches = 0;
  let kills = 0;
  const launchProcess = async (name: ServiceName, { env: own, nodeArgs = [] }: StartOptions) => {
    launches += 1;
    const logFile = `${directory}/${name}-${launches}.log`;
    const identity = {};
    const onLine = ({ event, groupId, assignment = {} }: LogLine) => {
      if (event === 'consumer.joined' && groupId?.endsWith('.dispatcher'))
        disruptions.assigned(identity, assignment);
    };
    const process = await startObserved({ name, env: { ...env, ...own?.() }, logFile, nodeArgs }, onLine);
    if (name === 'dispatcher') void process.exited.then(() => disruptions.exited(identity));
    return process;
  };
  const launch = async (name: ServiceName, options: StartOptions = {}) => {
    const service = await superviseService({
      name,
      launch: () => launchProcess(name, options),
      onExit(exit) {
        if (exit.how === KILLED) {
          kills += 1;
          return;
        }
        log(`${name} ended unexpectedly (${exit.how})`);
        failures.push({ ...exit, name });
      },
      onFreeze() {
        if (name === 'dispatcher') disruptions.reassigned();
        kills += 1;
      },
    });
    const stop = () => {
      services.delete(supervised);
      return service.stop();
    };
    const supervised = { ...service, stop };
    services.add(supervised);
    return supervised;
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

interface ObservedSpec {
  readonly name: ServiceName;
  readonly env: Readonly<Record<string, string>>;
  readonly logFile: string;
  readonly nodeArgs: readonly string[];
}

async function startObserved(spec: ObservedSpec, read: (line: LogLine) => void): Promise<ObservedProcess> {
  const assignments = new Map<string, { readonly partitions: number; readonly at: number }>();
  let lastLine = '';
  let isReady = false;
  const onLine = (line: string, entry: LogLine | null) => {
    lastLine = line;
    if (entry === null) return;
    read(entry);
    isReady ||= entry.event === 'ready';
    const { groupId, assignment } = entry;
    if (groupId === undefined || assignment === undefined) return;
    assignments.set(groupId, { partitions: Object.values(assignment).flat().length, at: Date.now() });
  };
  const service = await startService({ ...spec, env: { ...process.env, ...spec.env }, onLine });
  return Object.assign(service, {
    lastLine: () => lastLine,
    partitionsSince() {
      const all = [...assignments.values()];
      const hasPartitions = isReady && all.length > 0 && all.every(({ partitions }) => partitions > 0);
      return hasPartitions ? Math.min(...all.map(({ at }) => at)) : null;
    },
  });
}
