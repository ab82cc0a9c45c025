import { join } from 'node:path';
import { startProcess } from '../../processes/start-process.js';
import { supervise } from '../../processes/supervise.js';
import { choosePorts } from '../ports.js';
import { type ServerName, type Stack, type StackOptions, Unavailable } from '../stack.js';
import { startServers } from '../start-servers.js';
import { registryUrl } from '../until-serves.js';
import { type DataDirectory, keptDirectory, temporaryDirectory, temporaryParent } from './data-directory.js';
import { fetchParts, type Parts } from './fetch-parts.js';
import { PREPARE } from './servers.js';
import { findJava, type Java } from './tools.js';

/** Another process may take a chosen port before the server does. */
const TRIES = 3;
const STOP_GRACE_MS = 8_000;

/**
 * Starts the three servers as processes of this machine, bound to one address, in parallel; downloads them first if need be.
 * @throws Unavailable when a tool is missing or the platform has no binaries
 */
export async function startNative(options: StackOptions & { readonly host?: string }): Promise<Stack> {
  if (process.platform === 'win32') throw new Unavailable('it needs Linux or macOS');
  const { env = process.env, report, dataDir, inMemory = false, host = '127.0.0.1' } = options;
  const java = await findJava(env);
  const parts = await fetchParts({ env, java }, report);
  const data = await (dataDir === undefined
    ? temporaryDirectory(inMemory ? temporaryParent() : undefined)
    : keptDirectory(dataDir));
  for (let tries = 1; ; tries += 1) {
    try {
      return await startOn(data, { ...options, env, java, parts, host });
    } catch (error) {
      const portTaken = /in use/i.test((error as Error).message);
      if (tries < TRIES && portTaken) continue;
      data.release();
      throw error;
    }
  }
}

interface Programs extends StackOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly java: Java;
  readonly parts: Parts;
  readonly host: string;
}

async function startOn(data: DataDirectory, programs: Programs): Promise<Stack> {
  const { env, java, parts, host, report, onRestart } = programs;
  const ports = await choosePorts(join(data.path, 'ports.json'));
  const { servers, stop } = await startServers(async (name: ServerName, signal) => {
    const logFile = join(data.path, `${name}.log`);
    const server = PREPARE[name]({ part: parts[name], directory: join(data.path, name), java, host }, ports);
    const start = () => startProcess({ name, ...server, env, logFile });
    const running = await supervise({ name, start, report, onRestart, signal, stopGraceMs: STOP_GRACE_MS });
    return {
      running,
      async stop() {
        const exit = await running.stop();
        server.onStopped?.(exit);
      },
    };
  }, data.release);
  return {
    provider: 'native',
    kafkaBrokers: [`${host}:${ports.kafka}`],
    mongodbUri: `mongodb://${host}:${ports.mongod}/postrider?replicaSet=rs0`,
    schemaRegistryUrl: registryUrl(`${host}:${ports.registry}`),
    get pids() {
      return Object.fromEntries(servers.map(({ running }) => [running.name, running.pid]));
    },
    stop,
  };
}
