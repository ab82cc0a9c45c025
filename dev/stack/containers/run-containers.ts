import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { choosePorts, type Ports } from '../ports.js';
import { type ServerName, type Stack, type StackOptions, Unavailable } from '../stack.js';
import { untilKafkaServes, untilMongoServes, untilRegistryServes } from '../until-serves.js';
import { type ContainerPlan, describeContainers, MONGOD_INSIDE } from './describe-containers.js';
import { chooseImages, cleanerImages, provideImages } from './images.js';
import { type RunningContainer, untilItServes } from './watch-container.js';

/**
 * Gets the images, starts the containers, published on 127.0.0.1 only, and waits until they serve.
 * @throws Unavailable when no daemon can be used or an image is neither present nor pulled in time
 */
export async function runContainers({ env = process.env, report, dataDir }: StackOptions): Promise<Stack> {
  const client = await getContainerRuntimeClient().catch((error: Error) => {
    throw new Unavailable(`no Docker daemon could be used: ${error.message}`, 'report');
  });
  const images = chooseImages(env);
  await provideImages(client, [...Object.values(images), ...cleanerImages(env)], report);
  const reachedAt = client.info.containerRuntime.host;
  const host = reachedAt === 'localhost' ? '127.0.0.1' : reachedAt;
  const ports = await choosePortsFor(dataDir);
  const at = addressesOf(host, ports);
  const starts = describeContainers(host, ports).map((plan) =>
    startContainer(plan, images[plan.server], host, dataDir),
  );
  const started = await Promise.allSettled(starts);
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = started.find((result) => result.status === 'rejected');
  try {
    if (failed !== undefined) throw failed.reason;
    await Promise.all(running.map((one) => untilItServes(one, readiness(one.server, at), client.container)));
  } catch (error) {
    await stopAll(running);
    throw error;
  }
  return describeStack(at, running);
}

async function choosePortsFor(dataDir: string | undefined): Promise<Ports> {
  const directory = dataDir ?? mkdtempSync(join(tmpdir(), 'postrider-'));
  mkdirSync(directory, { recursive: true });
  try {
    return await choosePorts(join(directory, 'ports.json'));
  } finally {
    if (dataDir === undefined) rmSync(directory, { recursive: true });
  }
}

async function startContainer(
  plan: ContainerPlan,
  image: string,
  host: string,
  dataDir: string | undefined,
): Promise<RunningContainer> {
  const container = new LoopbackContainer(image)
    .publish(plan.port, host)
    .withEnvironment({ ...plan.environment })
    .withWaitStrategy(Wait.forLogMessage(/./));
  if (plan.command.length > 0) container.withCommand([...plan.command]);
  if (plan.user !== undefined) container.withUser(plan.user);
  if (dataDir !== undefined) {
    container.withBindMounts([{ source: volumeName(dataDir, plan), target: plan.data, mode: 'rw' }]);
  }
  return { server: plan.server, container: await container.start() };
}

function volumeName(dataDir: string, plan: ContainerPlan): string {
  const place = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 8);
  return `postrider-${place}-${plan.server}`;
}

interface Addresses {
  readonly kafka: string;
  readonly mongod: string;
  readonly registryUrl: string;
}

function addressesOf(host: string, ports: Ports): Addresses {
  return {
    kafka: `${host}:${ports.kafka}`,
    mongod: `${host}:${ports.mongod}`,
    registryUrl: `http://${host}:${ports.registry}/apis/ccompat/v7`,
  };
}

function readiness(server: ServerName, at: Addresses): (signal: AbortSignal) => Promise<void> {
  switch (server) {
    case 'kafka':
      return (signal) => untilKafkaServes(at.kafka, signal);
    case 'mongod':
      return (signal) =>
        untilMongoServes({ address: at.mongod, replicaSet: 'rs0', ownAddress: MONGOD_INSIDE }, signal);
    case 'registry':
      return (signal) => untilRegistryServes(at.registryUrl, signal);
  }
}

function describeStack(at: Addresses, running: readonly RunningContainer[]): Stack {
  let stopped: Promise<void> | undefined;
  return {
    provider: 'containers',
    kafkaBrokers: [at.kafka],
    mongodbUri: `mongodb://${at.mongod}/postrider?directConnection=true`,
    schemaRegistryUrl: at.registryUrl,
    pids: {},
    stop: () => {
      stopped ??= stopAll(running);
      return stopped;
    },
  };
}

const STOP_GRACE_MS = 8_000;

async function stopAll(running: readonly RunningContainer[]): Promise<void> {
  await Promise.all(running.map(({ container }) => container.stop({ timeout: STOP_GRACE_MS })));
}

/** A container whose ports other machines cannot reach, because these servers require no password. */
class LoopbackContainer extends GenericContainer {
  /** Publishes one port, on 127.0.0.1 where the daemon is on this machine. */
  publish(port: { readonly container: number; readonly host: number }, daemonHost: string): this {
    this.withExposedPorts({ ...port });
    if (daemonHost === '127.0.0.1') {
      const binding = { HostIp: '127.0.0.1', HostPort: String(port.host) };
      this.hostConfig.PortBindings = { [`${port.container}/tcp`]: [binding] };
    }
    return this;
  }
}
