import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { StartedTestContainer } from 'testcontainers';
import { choosePorts, type Ports } from '../ports.js';
import { type Stack, type StackOptions, Unavailable } from '../stack.js';
import { untilKafkaServes } from '../until-kafka-serves.js';
import { untilMongoServes } from '../until-mongo-serves.js';
import { untilRegistryServes } from '../until-registry-serves.js';
import { type ContainerPlan, describeContainers, MONGOD_INSIDE } from './describe-containers.js';
import { whyNoDaemon } from './find-daemon.js';
import { chooseImages, cleanerImages, provideImages } from './images.js';

/**
 * Starts the three servers as containers, published on 127.0.0.1 only. The container library ends them if we are killed.
 * With a data directory the data lies in named volumes, which outlive the containers.
 * @throws Unavailable when no daemon answers or an image is neither there nor pulled in time
 */
export async function startContainers({ env = process.env, report, dataDir }: StackOptions): Promise<Stack> {
  const reason = await whyNoDaemon(env);
  if (reason !== undefined) throw new Unavailable(reason);
  const { getContainerRuntimeClient } = await import('testcontainers');
  const client = await getContainerRuntimeClient().catch((error: Error) => {
    throw new Unavailable(`no Docker daemon could be used: ${error.message}`, { cause: error });
  });
  const images = chooseImages(env);
  await provideImages(client, [...Object.values(images), ...cleanerImages(env)], report);
  const reachedAt = client.info.containerRuntime.host;
  const host = reachedAt === 'localhost' ? '127.0.0.1' : reachedAt;
  const ports = await notePorts(dataDir);
  const plans = describeContainers(host, ports);
  const started = await Promise.allSettled(
    plans.map((plan) => startContainer(plan, images[plan.server], host, dataDir)),
  );
  const running = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = started.find((result) => result.status === 'rejected');
  try {
    if (failed !== undefined) throw failed.reason;
    return await describeStack(host, ports, running);
  } catch (error) {
    await stopAll(running);
    throw error;
  }
}

async function notePorts(dataDir: string | undefined): Promise<Ports> {
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
): Promise<StartedTestContainer> {
  const { Wait } = await import('testcontainers');
  const { LoopbackContainer } = await import('./loopback-container.js');
  const container = new LoopbackContainer(image)
    .publish(plan.port, host)
    .withEnvironment({ ...plan.environment })
    .withWaitStrategy(Wait.forLogMessage(/./));
  if (plan.command.length > 0) container.withCommand([...plan.command]);
  if (plan.user !== undefined) container.withUser(plan.user);
  if (dataDir !== undefined) {
    container.withBindMounts([{ source: volumeName(dataDir, plan), target: plan.data, mode: 'rw' }]);
  }
  return container.start();
}

function volumeName(dataDir: string, plan: ContainerPlan): string {
  const place = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 8);
  return `postrider-${place}-${plan.server}`;
}

async function describeStack(
  host: string,
  ports: Ports,
  containers: readonly StartedTestContainer[],
): Promise<Stack> {
  const kafka = `${host}:${ports.kafka}`;
  const mongod = `${host}:${ports.mongod}`;
  const schemaRegistryUrl = `http://${host}:${ports.registry}/apis/ccompat/v7`;
  await Promise.all([
    untilKafkaServes(kafka),
    untilMongoServes({ address: mongod, replicaSet: 'rs0', ownAddress: MONGOD_INSIDE }),
    untilRegistryServes(schemaRegistryUrl),
  ]);
  let stopped: Promise<void> | undefined;
  return {
    provider: 'containers',
    kafkaBrokers: [kafka],
    mongodbUri: `mongodb://${mongod}/postrider?directConnection=true`,
    schemaRegistryUrl,
    pids: {},
    stop: () => {
      stopped ??= stopAll(containers);
      return stopped;
    },
  };
}

const STOP_GRACE_SECONDS = 8;

async function stopAll(containers: readonly StartedTestContainer[]): Promise<void> {
  await Promise.all(containers.map((container) => container.stop({ timeout: STOP_GRACE_SECONDS * 1000 })));
}
