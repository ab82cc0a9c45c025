import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type TestReceiver, testReceiver } from '@postrider/shared/testing/receiver';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { type Client, clientFor } from './client.js';
import { type ServiceName, type ServiceProcess, startService } from './service-process.js';

const run = promisify(execFile);
const ADMIN = fileURLToPath(new URL('../../services/api/dist/src/admin/main.js', import.meta.url));

/** The whole system in a world of its own: every service a process, one workspace, one receiver. */
export interface System {
  readonly world: TestWorld;
  readonly receiver: TestReceiver;
  readonly client: Client;
  readonly env: Readonly<Record<string, string>>;
  /** An API token with every permission. */
  readonly token: string;
  /** Every process that was started, by service. */
  services(name: ServiceName): readonly ServiceProcess[];
  /** Starts a service, by default in the system's own environment. */
  start(name: ServiceName, env?: Readonly<Record<string, string>>): Promise<ServiceProcess>;
  /** Runs an admin command, by default in the system's own environment. @returns its standard output */
  admin(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<string>;
  /** Stops every process of a service as an operator would. */
  stopService(name: ServiceName): Promise<void>;
  stop(): Promise<void>;
}

/** @param settings variables that differ from the test world's */
export async function startSystem(settings: Readonly<Record<string, string>> = {}): Promise<System> {
  const [world, receiver] = await Promise.all([testWorld(), testReceiver()]);
  const env = { ...world.env, LOG_LEVEL: process.env.TEST_LOG_LEVEL ?? 'info', ...settings };
  const running: { name: ServiceName; service: ServiceProcess }[] = [];
  const start = async (name: ServiceName, extra: Readonly<Record<string, string>> = {}) => {
    const service = await startService(name, { ...env, ...extra });
    running.push({ name, service });
    return service;
  };
  const admin: System['admin'] = async (args, extra = {}) =>
    (await run(process.execPath, [ADMIN, ...args], { env: { ...process.env, ...env, ...extra } })).stdout;
  const [api] = await Promise.all([start('api'), start('dispatcher'), start('dlq-consumer')]);
  const owned = ['--name', 'Acme', '--owner-email', 'owner@example.com'];
  await admin(['workspace', 'create', '--slug', 'acme', ...owned]);
  const granted = ['--name', 'test', '--scopes', 'admin', '--json'];
  const made = await admin(['token', 'create', '--workspace', 'acme', ...granted]);
  const { token } = JSON.parse(made) as { token: string };
  const client = clientFor({ workspace: 'acme', token, baseUrl: `http://127.0.0.1:${api.port}` });
  return {
    world,
    receiver,
    client,
    env,
    token,
    services: (name) => running.filter((one) => one.name === name).map(({ service }) => service),
    start,
    admin,
    async stopService(name) {
      const meant = running.filter((one) => one.name === name);
      await Promise.all(meant.map(({ service }) => service.kill('SIGTERM')));
    },
    async stop() {
      await Promise.all(running.map(({ service }) => service.kill('SIGTERM')));
      await receiver.close();
      await world.destroy();
    },
  };
}
