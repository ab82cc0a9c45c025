import { join } from 'node:path';
import { startProcess } from '../../processes/start-process.js';
import { type Supervised, supervise } from '../../processes/supervise.js';
import { choosePorts, type Ports } from '../ports.js';
import { SERVERS, type ServerName, type Stack, type StackOptions, Unavailable } from '../stack.js';
import { type DataDirectory, keptDirectory, temporaryDirectory } from './data-directory.js';
import { fetchParts, type Parts } from './fetch-parts.js';
import { prepareKafka } from './kafka.js';
import { prepareMongod } from './mongod.js';
import type { NativeServer, ServerContext } from './native-server.js';
import { prepareRegistry, registryUrl } from './registry.js';
import { findJava, type Java } from './tools.js';

/** Another process may take a chosen port before the server does. */
const TRIES = 3;
const STOP_GRACE_MS = 8_000;

/**
 * Starts the three servers as processes of this machine, bound to 127.0.0.1, in parallel; downloads them first if need be.
 * @throws Unavailable when a tool is missing or the platform has no binaries
 */
export async function startNative({
  env = process.env,
  report,
  dataDir,
  onRestart,
}: StackOptions): Promise<Stack> {
  if (process.platform === 'win32') throw new Unavailable('it needs Linux or macOS');
  const java = await findJava(env);
  const parts = await fetchParts({ env, java }, report);
  const data = await (dataDir === undefined ? temporaryDirectory() : keptDirectory(dataDir));
  return startWithRetries({ java, parts, env, report, data, onRestart });
}

interface Plan {
  readonly java: Java;
  readonly parts: Parts;
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  readonly onRestart: (() => void) | undefined;
  readonly data: DataDirectory;
}

async function startWithRetries(plan: Plan): Promise<Stack> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await startServers(plan);
    } catch (error) {
      const portTaken = /in use/i.test((error as Error).message);
      if (tries < TRIES && portTaken) continue;
      plan.data.release();
      throw error;
    }
  }
}

/** A server with its current process. */
interface RunningServer extends NativeServer {
  readonly process: Supervised;
}

async function startServers(plan: Plan): Promise<Stack> {
  const ports = await choosePorts(join(plan.data.path, 'ports.json'));
  const cancelled = new AbortController();
  const starts = SERVERS.map(async (name) => {
    try {
      return await startServer(name, ports, plan, cancelled.signal);
    } catch (error) {
      cancelled.abort(error);
      throw error;
    }
  });
  const started = await Promise.allSettled(starts);
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  if (cancelled.signal.aborted) {
    await Promise.all(running.map((server) => server.process.stop()));
    throw cancelled.signal.reason;
  }
  return describeStack(plan, ports, running);
}

async function startServer(
  name: ServerName,
  ports: Ports,
  plan: Plan,
  signal: AbortSignal,
): Promise<RunningServer> {
  const { java, env, report, onRestart } = plan;
  const logFile = join(plan.data.path, `${name}.log`);
  const directory = join(plan.data.path, name);
  const server = prepare(name, ports, { part: plan.parts[name], directory, logFile, java, env });
  const start = () => startProcess({ name, ...server, env, logFile });
  const process = await supervise({ name, start, report, onRestart, signal, stopGraceMs: STOP_GRACE_MS });
  return { ...server, process };
}

function prepare(name: ServerName, ports: Ports, context: ServerContext): NativeServer {
  switch (name) {
    case 'kafka':
      return prepareKafka(context, [ports.kafka, ports.kafkaController]);
    case 'mongod':
      return prepareMongod(context, ports.mongod);
    case 'registry':
      return prepareRegistry(context, ports.registry);
  }
}

function describeStack({ data }: Plan, ports: Ports, servers: readonly RunningServer[]): Stack {
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await Promise.all(servers.map(stopServer));
    data.release();
  };
  return {
    provider: 'native',
    kafkaBrokers: [`127.0.0.1:${ports.kafka}`],
    mongodbUri: `mongodb://127.0.0.1:${ports.mongod}/postrider?replicaSet=rs0`,
    schemaRegistryUrl: registryUrl(ports.registry),
    get pids() {
      return Object.fromEntries(servers.map((server) => [server.process.name, server.process.pid]));
    },
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
}

async function stopServer(server: RunningServer): Promise<void> {
  const exit = await server.process.stop();
  server.onStopped?.(exit);
}
