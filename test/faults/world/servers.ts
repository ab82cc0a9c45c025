import { join } from 'node:path';
import { chooseFreePorts } from '#dev/processes/free-ports';
import { type RunningProcess, startProcess } from '#dev/processes/start-process';
import { temporaryDirectory } from '#dev/stack/native/data-directory';
import { fetchParts } from '#dev/stack/native/fetch-parts';
import {
  type NativeServer,
  prepareKafka,
  prepareMongod,
  prepareRegistry,
  type ServerContext,
} from '#dev/stack/native/servers';
import { findJava } from '#dev/stack/native/tools';
import { registryUrl } from '#dev/stack/until-serves';
import { type BrokerClock, compileBrokerClock } from './broker-clock.js';
import { type Link, openLink } from './link.js';

/** A server that can be killed and started again, with the same data and port. */
export interface Server {
  kill(): Promise<void>;
  freeze(): void;
  resume(): void;
  /** Starts it again. Resolves when it is ready. */
  start(): Promise<void>;
}

export interface Servers {
  readonly kafka: Server;
  readonly mongod: Server;
  readonly registry: Server;
  /** `host:port`, bypassing the links. */
  readonly broker: string;
  readonly mongodPort: number;
  readonly registryUrl: string;
  /** The broker's clock; null if it cannot be shifted. */
  readonly brokerClock: BrokerClock | null;
  /** `kafka` and `mongod` are used by dispatchers only, `others` by all other services. */
  readonly links: { readonly kafka: Link; readonly mongod: Link; readonly others: Link };
  /** Servers killed or frozen so far. */
  kills(): number;
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 8_000;

/**
 * Starts real servers as processes of this machine; downloads them if necessary.
 *
 * @param options whether the broker's clock can be shifted
 */
export async function startServers(
  report: (line: string) => void,
  options: { readonly brokerClock?: boolean } = {},
): Promise<Servers> {
  const { env } = process;
  const java = await findJava(env);
  const parts = await fetchParts({ env, java }, report);
  const data = await temporaryDirectory();
  const chosen = await chooseFreePorts(Array.from({ length: 6 }, () => undefined));
  const [client = 0, controller = 0, linked = 0, kafkaLink = 0, mongodPort = 0, registryPort = 0] = chosen;
  let kills = 0;
  const start = (name: keyof typeof parts, prepare: (context: ServerContext) => NativeServer) => {
    const server = prepare({ directory: join(data.path, name), part: parts[name], java, host: '127.0.0.1' });
    return startServer(server, join(data.path, `${name}.log`), () => {
      kills += 1;
    });
  };
  const clock = options.brokerClock ? await compileBrokerClock(parts.kafka, join(data.path, 'clock')) : null;
  const [kafka, mongod, registry] = await Promise.all([
    start('kafka', (context) =>
      prepareKafka(
        context,
        { kafka: client, kafkaController: controller },
        {
          settings: linkedListener({ client, controller, linked, kafkaLink }),
          ...(clock && { classes: [clock.classes], definitions: clock.definitions }),
        },
      ),
    ),
    start('mongod', (context) => prepareMongod(context, { mongod: mongodPort })),
    start('registry', (context) => prepareRegistry(context, { registry: registryPort })),
  ]);
  const links = {
    kafka: await openLink(kafkaLink, linked),
    mongod: await openLink(0, mongodPort),
    others: await openLink(0, mongodPort),
  };
  return {
    kafka,
    mongod,
    registry,
    broker: `127.0.0.1:${client}`,
    mongodPort,
    registryUrl: registryUrl(`127.0.0.1:${registryPort}`),
    brokerClock: clock,
    links,
    kills: () => kills,
    async stop() {
      await Promise.all(Object.values(links).map((link) => link.close()));
      await Promise.all([kafka, mongod, registry].map((server) => server.stop()));
      data.release();
    },
  };
}

type Ports = Readonly<Record<'client' | 'controller' | 'linked' | 'kafkaLink', number>>;

/** Adds a second listener, which advertises the link's port. */
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
  logFile: string,
  onKill: () => void,
): Promise<Server & { stop(): Promise<void> }> {
  let running: RunningProcess;
  const start = async () => {
    running = await startProcess({ ...server, logFile });
    await running.ready;
  };
  await start();
  return {
    start,
    async kill() {
      onKill();
      running.kill();
      await running.exited;
    },
    freeze() {
      onKill();
      running.signal('SIGSTOP');
    },
    resume: () => running.signal('SIGCONT'),
    async stop() {
      onStopped?.(await running.stop(STOP_GRACE_MS));
    },
  };
}
