import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { GenericContainer, getContainerRuntimeClient, Wait } from 'testcontainers';
import { choosePorts } from '../ports.js';
import { type ServerName, type Stack, type StackOptions, Unavailable } from '../stack.js';
import { startServers } from '../start-servers.js';
import { registryUrl } from '../until-serves.js';
import { type ContainerPlan, describeContainers } from './describe-containers.js';
import { chooseImages, cleanerImages, provideImages } from './images.js';
import { untilReady } from './until-ready.js';

const STOP_GRACE_MS = 8_000;

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
  const ports = await choosePorts(dataDir && join(dataDir, 'ports.json'));
  const plans = describeContainers(host, ports);
  const { stop } = await startServers(async (name, signal) => {
    const volume = dataDir && volumeName(dataDir, name);
    const container = await createContainer(images[name], plans[name], host, volume).start();
    const running = { stop: () => container.stop({ timeout: STOP_GRACE_MS }) };
    try {
      await untilReady(name, container, plans[name], client.container, signal);
      return running;
    } catch (error) {
      await running.stop();
      throw error;
    }
  });
  return {
    provider: 'containers',
    kafkaBrokers: [`${host}:${ports.kafka}`],
    mongodbUri: `mongodb://${host}:${ports.mongod}/postrider?directConnection=true`,
    schemaRegistryUrl: registryUrl(`${host}:${ports.registry}`),
    pids: {},
    stop,
  };
}

function createContainer(image: string, plan: ContainerPlan, host: string, volume: string | undefined) {
  const container = new LoopbackContainer(image)
    .publish(plan.port, host)
    .withEnvironment({ ...plan.environment })
    .withWaitStrategy(Wait.forLogMessage(/./));
  if (plan.command !== undefined) container.withCommand([...plan.command]);
  if (plan.user !== undefined) container.withUser(plan.user);
  if (volume) container.withBindMounts([{ source: volume, target: plan.data, mode: 'rw' }]);
  return container;
}

function volumeName(dataDir: string, server: ServerName): string {
  const place = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 8);
  return `postrider-${place}-${server}`;
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
