import { mkdirSync } from 'node:fs';
import { createClient } from '@postrider/client';
import { type DeliveredOnce, deliverOnce } from '../demo/deliver-once.js';
import { openWorkspace, WORKSPACE } from '../demo/open-workspace.js';
import { chooseFreePorts, isFree } from '../processes/free-ports.js';
import { SERVICES, type ServiceName } from '../processes/start-service.js';
import type { Stack } from '../stack/stack.js';
import { startStack } from '../stack/start-stack.js';
import { serviceEnvironment } from './describe-services.js';
import { createNotes, type Facts, type Notes } from './dev-file.js';
import { encryptionKeys } from './encryption-keys.js';
import { DEFAULT_PORT, type StartOptions } from './options.js';
import { PLACES } from './places.js';
import type { Processes } from './processes.js';
import { runAdmin } from './run-admin.js';
import { runJanitorHourly } from './run-janitor.js';
import { startReceiver } from './start-receiver.js';
import { superviseService } from './supervise-service.js';

export interface StartContext {
  readonly options: StartOptions;
  readonly processes: Processes;
  readonly report: (line: string) => void;
  readonly stage: (text: string) => void;
}

/** The result of a complete start. */
export interface Up {
  readonly facts: Facts;
  readonly delivered?: DeliveredOnce;
}

/**
 * Starts everything, in parallel where possible: servers, topics and schemas, services, and the first delivery.
 * @throws Error that names the failed step; what was started by then is in `processes`
 */
export async function startAll(context: StartContext): Promise<Up> {
  const { options, processes, stage } = context;
  mkdirSync(PLACES.logs, { recursive: true });
  const notes = createNotes(processes, PLACES.devFile);
  const receiverUp = options.demo ? startDemoReceiver(context, notes) : undefined;
  const [apiPort, stack] = await Promise.all([
    chooseApiPort(context),
    startServers(context, notes),
    receiverUp,
  ]);
  stage(`servers are up (${stack.provider})`);
  const { retryStep, keep } = options;
  const keys = encryptionKeys(keep ? PLACES.encryptionKeys : undefined);
  const env = serviceEnvironment({ stack, apiPort, retryStep, encryptionKeys: keys }, process.env);
  await step('migrate', runAdmin(['migrate'], env));
  stage('topics, schemas and collections exist');
  const metricsPorts = await chooseFreePorts(SERVICES.map(() => undefined));
  const [token] = await Promise.all([
    options.demo ? createToken(env) : undefined,
    ...SERVICES.map((name, at) =>
      startOneService(context, name, { ...env, METRICS_PORT: String(metricsPorts[at]) }, notes),
    ),
  ]);
  processes.janitor = runJanitorHourly(env, context.report);
  stage('services are up');
  const { kafkaBrokers, mongodbUri, schemaRegistryUrl } = stack;
  const facts = {
    apiUrl: `http://127.0.0.1:${apiPort}`,
    metricsUrls: SERVICES.map((_, at) => `http://127.0.0.1:${metricsPorts[at]}/metrics`),
    kafkaBrokers,
    mongodbUri,
    schemaRegistryUrl,
  };
  const up = token === undefined ? { facts } : await runDemo(context, facts, token);
  notes.write(up.facts);
  return up;
}

async function startServers({ options, processes, report }: StartContext, notes: Notes): Promise<Stack> {
  const dataDir = options.keep ? PLACES.data : undefined;
  const stack = await startStack({ provider: options.provider, dataDir, report, onRestart: notes.refresh });
  processes.stack = stack;
  return stack;
}

async function startDemoReceiver({ processes, report }: StartContext, notes: Notes): Promise<void> {
  processes.receiver = await step('receiver', startReceiver({ report, onRestart: notes.refresh }));
}

async function startOneService(
  { processes, report }: StartContext,
  name: ServiceName,
  env: NodeJS.ProcessEnv,
  notes: Notes,
): Promise<void> {
  const start = superviseService({ name, env, report, onRestart: notes.refresh });
  processes.services.push(await step(name, start));
}

function createToken(env: NodeJS.ProcessEnv): Promise<string> {
  return step(
    'workspace and token',
    openWorkspace((args) => runAdmin(args, env)),
  );
}

async function runDemo({ processes, stage }: StartContext, facts: Facts, token: string): Promise<Up> {
  const { receiver } = processes;
  if (receiver === undefined) return { facts };
  const delivered = await step(
    'demo',
    deliverOnce(createClient({ baseUrl: facts.apiUrl, workspace: WORKSPACE, token }), receiver),
  );
  stage('the first webhook is delivered and verified');
  const { endpointId } = delivered;
  return {
    facts: { ...facts, workspace: WORKSPACE, token, endpointId, receiverUrl: receiver.url },
    delivered,
  };
}

/** A configured port must be free; the default one is replaced when it is taken. */
async function chooseApiPort({ options, report }: StartContext): Promise<number> {
  if (options.port !== undefined) {
    if (await isFree(options.port)) return options.port;
    throw new Error(`Port ${options.port} is taken. Choose another with --port, or leave it out.`);
  }
  const [port = 0] = await chooseFreePorts([DEFAULT_PORT]);
  if (port !== DEFAULT_PORT) report(`Port ${DEFAULT_PORT} is taken: the api gets ${port}.`);
  return port;
}

/** Names the failed step in the error. */
async function step<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
  }
}
