import { join } from 'node:path';
import type { ServiceName, ServiceProcess } from '#dev/processes/start-service';
import type { Blocks } from '../measure/blocks.js';
import { type Counts, sumOf } from '../measure/counts.js';
import { readReport } from '../processes/read-report.js';
import { dismissService, type JobName, runJob, startService, stopService } from '../processes/service.js';

interface ServicesParts {
  readonly env: Readonly<Record<string, string>>;
  readonly nodeArgs: readonly string[];
  /** For logs. */
  readonly directory: string;
  /** Kills processes that are starting. */
  readonly signal: AbortSignal;
  /** Called for each process of a service or a job. */
  readonly onStart: (name: string, pid: number) => void;
  /** Called when a service ends that was neither stopped nor killed. */
  readonly onDeath: (error: Error) => void;
}

/** Starts and stops services and jobs with the same configuration. */
export function createServices({ env, nodeArgs, directory, signal, onStart, onDeath }: ServicesParts) {
  const running: ServiceProcess[] = [];
  const logs: string[] = [];
  const reports = new Map<number, { readonly requests: string; readonly blocks: string }>();
  const reportOf = <T>({ pid }: ServiceProcess, what: 'requests' | 'blocks') =>
    readReport<T>({ pid, file: reports.get(pid)?.[what] ?? '' });
  const newLogFile = (name: ServiceName | JobName) => {
    const logFile = join(directory, `${name}-${logs.length + 1}.log`);
    logs.push(logFile);
    return logFile;
  };
  /** Its end is expected from now on. */
  const remove = (service: ServiceProcess) => {
    const index = running.indexOf(service);
    if (index >= 0) running.splice(index, 1);
  };
  return {
    /** Running services in the order of their start. */
    services: running as readonly ServiceProcess[],
    /** The log files of all services and jobs. */
    logs,
    /** Starts one more process of a service. Resolves once it is ready. */
    async start(name: ServiceName): Promise<ServiceProcess> {
      const logFile = newLogFile(name);
      const requests = `${logFile}.requests.json`;
      const blocks = `${logFile}.blocks.json`;
      const reporting = { ...env, BENCH_REQUESTS_FILE: requests, BENCH_BLOCKS_FILE: blocks };
      const service = await startService(name, { nodeArgs, env: reporting, logFile, signal });
      reports.set(service.pid, { requests, blocks });
      running.push(service);
      onStart(name, service.pid);
      void service.exited.then(() => {
        if (running.includes(service)) onDeath(new Error(`a process of the ${name} died`));
      });
      return service;
    },
    /** Stops a service. @throws Error if it does not exit cleanly */
    async stop(service: ServiceProcess): Promise<void> {
      remove(service);
      await stopService(service);
    },
    /** Ends a service with SIGKILL. */
    async kill(service: ServiceProcess): Promise<void> {
      remove(service);
      service.kill();
      await service.exited;
    },
    /** Ends all services within seconds. */
    async dismissAll(): Promise<void> {
      await Promise.all(running.splice(0).map(dismissService));
    },
    /** Runs a job to its end. @throws Error if it fails */
    run: (name: JobName): Promise<void> =>
      runJob(name, { env, logFile: newLogFile(name), signal }, (pid) => onStart(name, pid)),
    /** Requests of all services to the broker so far, by name. The measurement must request counting. */
    kafkaRequests: async (): Promise<Counts> =>
      sumOf(await Promise.all(running.map((one) => reportOf<Counts>(one, 'requests')))),
    /** The longest block of a service's event loop since the last call. The measurement must request it. */
    longestBlock: (service: ServiceProcess) => reportOf<Blocks>(service, 'blocks'),
  };
}
