import { join } from 'node:path';
import { chooseFreePorts } from '#dev/processes/free-ports';
import { type RunningProcess, startProcess } from '#dev/processes/start-process';
import { temporaryDirectory } from '#dev/stack/native/data-directory';
import { fetchParts } from '#dev/stack/native/fetch-parts';
import { prepareKafka } from '#dev/stack/native/kafka';
import { prepareMongod } from '#dev/stack/native/mongod';
import type { NativeServer, ServerContext } from '#dev/stack/native/native-server';
import { prepareRegistry, registryUrl } from '#dev/stack/native/registry';
import { findJava } from '#dev/stack/native/tools';
import { type Link, openLink } from './link.js';

/** A server that may be treated badly. Its data and its port stay the same. */
export interface Server {
  kill(): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** Starts it again. Resolves when it serves. */
  start(): Promise<void>;
}

/** A stack of one's own, to be killed. */
export interface Servers {
  readonly kafka: Server;
  readonly mongod: Server;
  readonly registry: Server;
  /** `host:port`, past all links. */
  readonly broker: string;
  readonly mongodPort: number;
  readonly registryUrl: string;
  /** The dispatchers' wires, which nothing else uses. */
  readonly links: { readonly kafka: Link; readonly mongod: Link; readonly others: Link };
  /** Kills and freezes so far. */
  harm(): number;
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 8_000;

/** Real servers as processes of this machine; downloaded first if need be. */
export async function startServers(report: (line: string) => void): Promise<Servers> {
  const { env } = process;
  const java = await findJava(env);
  const parts = await fetchParts({ env, java }, report);
  const data = await temporaryDirectory();
  const ports = await choosePorts();
  let harm = 0;
  const start = (name: keyof typeof parts, prepare: (context: ServerContext) => NativeServer) => {
    const place = { directory: join(data.path, name), logFile: join(data.path, `${name}.log`) };
    const context = { ...place, part: parts[name], java, env };
    return startServer(prepare(context), context, () => {
      harm += 1;
    });
  };
  const [kafka, mongod, registry] = await Promise.all([
    start('kafka', (context) =>
      prepareKafka(context, [ports.client, ports.controller], linkedListener(ports)),
    ),
    start('mongod', (context) => prepareMongod(context, ports.mongod)),
    start('registry', (context) => prepareRegistry(context, ports.registry)),
  ]);
  const links = {
    kafka: await openLink(ports.kafkaLink, ports.linked),
    mongod: await openLink(0, ports.mongod),
    others: await openLink(0, ports.mongod),
  };
  return {
    kafka,
    mongod,
    registry,
    broker: `127.0.0.1:${ports.client}`,
    mongodPort: ports.mongod,
    registryUrl: registryUrl(ports.registry),
    links,
    harm: () => harm,
    async stop() {
      await Promise.all(Object.values(links).map((link) => link.close()));
      await Promise.all([kafka, mongod, registry].map((server) => server.stop()));
      data.release();
    },
  };
}

type Ports = Awaited<ReturnType<typeof choosePorts>>;

async function choosePorts() {
  const preferred = Array.from({ length: 6 }, () => undefined);
  const [client = 0, controller = 0, linked = 0, kafkaLink = 0, mongod = 0, registry = 0] =
    await chooseFreePorts(preferred);
  return { client, controller, linked, kafkaLink, mongod, registry };
}

/** A second listener that tells clients to come through the link. */
function linkedListener({ client, controller, linked, kafkaLink }: Ports) {
  return {
    listeners: `PLAINTEXT://127.0.0.1:${client},LINKED://127.0.0.1:${linked},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${client},LINKED://127.0.0.1:${kafkaLink}`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,LINKED:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
  };
}

async function startServer(
  { onStopped, ...server }: NativeServer,
  { env, logFile }: ServerContext,
  hurt: () => void,
): Promise<Server & { stop(): Promise<void> }> {
  let running: RunningProcess;
  const start = async () => {
    running = await startProcess({ ...server, env, logFile });
    await running.ready;
  };
  await start();
  return {
    start,
    async kill() {
      hurt();
      running.kill();
      await running.exited;
    },
    freeze() {
      hurt();
      running.signal('SIGSTOP');
    },
    thaw: () => running.signal('SIGCONT'),
    async stop() {
      onStopped?.(await running.stop(STOP_GRACE_MS));
    },
  };
}
