import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameServer, type Reply } from '@postrider/shared/testing/name-server';
import type { Generator } from '../generator/generator.js';
import { type Meter, startMeter } from '../processes/meter.js';
import { startRemote } from '../processes/remote.js';
import { CERTIFICATE } from '../receiver/certificate.js';
import type { BenchReceiver, ReceiverEvents } from '../receiver/receiver.js';
import type { Context } from '../scenario.js';
import type { Setup } from './environment.js';
import { createNamespace } from './namespace.js';
import { addressOfName } from './population.js';
import { envOf, moduleOf, needsOf, nodeArgsOf } from './service-settings.js';
import { createServices } from './services.js';

/** The processes of one measurement. */
export type Processes = Awaited<ReturnType<typeof startProcesses>>;

/** Creates a namespace, and starts receiver and generator; services are started one by one. */
export async function startProcesses(context: Context, setup: Setup) {
  const namespace = await createNamespace(context);
  const directory = await mkdtemp(join(context.directory, 'measurement-'));
  const needs = needsOf(setup.groups);
  const names = needs.nameServer ? await nameServer(replyTo) : null;
  const died = new AbortController();
  const signal = AbortSignal.any([context.signal, died.signal]);
  const onDeath = (error: Error) => died.abort(error);
  const { receiver, generator, posts } = startLoad({ signal, onDeath });
  const caFile = needs.certificate ? await writeCertificate(directory) : null;
  const meters: Meter[] = [];
  const { dismissAll, ...services } = createServices({
    env: envOf({
      namespaceEnv: namespace.env,
      overrides: setup.env,
      nameServer: names?.address ?? null,
      caFile,
    }),
    nodeArgs: nodeArgsOf(context, setup, needs),
    directory,
    signal,
    onStart: (name, pid) => {
      for (const meter of meters) meter.watch({ name, pid, fresh: true });
    },
    onDeath,
  });
  return {
    ...services,
    namespace,
    receiver,
    generator,
    /** POSTs received so far, by group. */
    posts,
    /** For logs. */
    directory,
    /** Aborted once a process has died or the run is aborted. */
    signal,
    /** Starts measuring the usage of these processes, of the servers and of processes started later. */
    measure(): Meter {
      const tools = [
        { name: 'receiver', pid: receiver.pid },
        { name: 'generator', pid: generator.pid },
      ];
      const own = [...services.services, ...tools].map(({ name, pid }) => ({ name, pid, fresh: true }));
      const meter = startMeter([...own, ...context.serverProcesses]);
      meters.push(meter);
      return meter;
    },
    /** Ends all processes within seconds and drops the namespace. */
    async close(): Promise<void> {
      await names?.close();
      for (const meter of meters) meter.stop();
      await dismissAll();
      await Promise.all([receiver.kill(), generator.kill()]);
      await namespace.drop();
    },
  };
}

interface LoadParts {
  readonly signal: AbortSignal;
  readonly onDeath: (error: Error) => void;
}

/** Starts receiver and generator. The generator learns how many POSTs have arrived. */
function startLoad({ signal, onDeath }: LoadParts) {
  const generator = startRemote<Generator>('the generator', moduleOf('generator/generator'));
  const posts: Record<string, number> = {};
  const events: ReceiverEvents = {
    counts(counts) {
      Object.assign(posts, counts);
      const arrived = Object.values(posts).reduce((sum, count) => sum + count, 0);
      generator.calls.arrived.asEvent(arrived).catch(() => {});
    },
  };
  const receiver = startRemote<BenchReceiver>('the receiver', moduleOf('receiver/receiver'), events);
  void receiver.ended.then((how) => onDeath(new Error(`the receiver ${how}`)));
  void generator.ended.then((how) => onDeath(new Error(`the generator ${how}`)));
  signal.addEventListener('abort', () => void generator.kill(), { once: true });
  return { receiver, generator, posts };
}

/** @returns the file of the certificate authority that services have to trust */
async function writeCertificate(directory: string): Promise<string> {
  const file = join(directory, 'ca.pem');
  await writeFile(file, CERTIFICATE.cert);
  return file;
}

/** A name that is not one of a receiver is never answered. */
function replyTo(name: string): Reply {
  const address = addressOfName(name);
  return address === null ? 'silence' : { addresses: [address] };
}
