import { startTestReceiver, type TestReceiver } from '@postrider/shared/testing/receiver';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import {
  type ServiceProcess as RunningService,
  type ServiceName,
  startService,
} from '#dev/processes/start-service';
import { openWorkspace, runAdmin } from '#dev/start/run-admin';
import { type Client, clientFor } from './client.js';

/** A service with its output so far, by line. */
export interface ServiceProcess extends RunningService {
  readonly output: readonly string[];
}

const STOP_GRACE_MS = 30_000;

/** Starts a service and resolves once it is ready. */
export async function runService(
  name: ServiceName,
  env: Readonly<Record<string, string>>,
): Promise<ServiceProcess> {
  const output: string[] = [];
  const onLine = (line: string) => {
    output.push(line);
    if (process.env.TEST_LOG_LEVEL !== undefined) console.log(line);
  };
  const service = await startService({ name, env: { ...process.env, ...env }, onLine });
  await service.ready;
  return { ...service, output };
}

export const stopServices = (services: readonly ServiceProcess[]) =>
  Promise.all(services.map((service) => service.stop(STOP_GRACE_MS)));

/** The whole system with its own topics and database: every service a process, one workspace, one receiver. */
export interface System {
  readonly world: TestWorld;
  readonly receiver: TestReceiver;
  readonly client: Client;
  readonly env: Readonly<Record<string, string>>;
  /** An API token with every permission. */
  readonly token: string;
  /** Every started process of a service. */
  services(name: ServiceName): readonly ServiceProcess[];
  /** Starts a service, by default in the system's own environment. */
  start(name: ServiceName, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Runs an admin command, by default in the system's own environment. @returns its standard output */
  admin(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Stops every process of a service with SIGTERM. */
  stopService(name: ServiceName): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param settings variables that differ from the test world's
 * @param processes the processes to start; the first one serves the api
 */
export async function startSystem(
  settings: Readonly<Record<string, string>> = {},
  processes: readonly ServiceName[] = ['api', 'dispatcher', 'dlq-consumer'],
): Promise<System> {
  const [world, receiver] = await Promise.all([testWorld(), startTestReceiver()]);
  const env = { ...world.env, LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'info', ...settings };
  const running: ServiceProcess[] = [];
  const start = async (name: ServiceName, extra: Readonly<Record<string, string>> = {}) => {
    const service = await runService(name, { ...env, ...extra });
    running.push(service);
    return service;
  };
  const admin: System['admin'] = (args, extra) => runAdmin(args, { ...env, ...extra });
  const [api] = await Promise.all(processes.map((name) => start(name)));
  const token = await openWorkspace('acme', env);
  const client = clientFor({ workspace: 'acme', token, baseUrl: `http://127.0.0.1:${api?.port}` });
  return {
    world,
    receiver,
    client,
    env,
    token,
    services: (name) => running.filter((service) => service.name === name),
    start,
    admin,
    async stopService(name) {
      await stopServices(running.filter((service) => service.name === name));
    },
    async stop() {
      await stopServices(running);
      await receiver.close();
      await world.destroy();
    },
  };
}
