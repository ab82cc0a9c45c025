import { existsSync, mkdirSync } from 'node:fs';
import { consoleAddress } from '../demo/console-address.js';
import { type DeliveredOnce, deliverOnce } from '../demo/deliver-once.js';
import { chooseFreePorts } from '../processes/free-ports.js';
import { SERVICES } from '../processes/start-service.js';
import { startDemoReceiver } from '../receiver/receiver.js';
import { startStack } from '../stack/start-stack.js';
import { encryptionKeys, serviceEnvironment } from './describe-services.js';
import { DEFAULT_PORT, type StartOptions } from './options.js';
import { PATHS } from './paths.js';
import { type Facts, type Processes, writeDevFile } from './processes.js';
import { openWorkspace, runAdmin, WORKSPACE } from './run-admin.js';
import { runJanitorHourly, superviseService } from './run-services.js';

/**
 * Starts everything, in parallel where possible: servers, topics and schemas, services, and the first delivery.
 * @throws Error that names the failed step; everything started by then is in `processes`
 */
export async function startAll(
  options: StartOptions,
  processes: Processes,
  report: (line: string) => void,
  stage: (text: string) => void,
) {
  const { demo, keep, provider, retryStep } = options;
  mkdirSync(PATHS.logs, { recursive: true });
  const isKept = keep && existsSync(PATHS.data);
  const onRestart = (): void => writeDevFile(PATHS.devFile, processes);
  const startServers = async () => {
    const dataDir = keep ? PATHS.data : undefined;
    processes.stack = await startStack({ provider, dataDir, report, onRestart });
    return processes.stack;
  };
  const startReceiver = async () => {
    const starting = startDemoReceiver({ secrets: [], report: (line) => report(`[receiver] ${line}`) });
    processes.receiver = await step('receiver', starting);
    return processes.receiver.url;
  };
  const [apiPort, stack, receiverUrl] = await Promise.all([
    chooseApiPort(options.port, report),
    startServers(),
    demo ? startReceiver() : undefined,
  ]);
  stage(`servers are up (${stack.provider})`);
  const keys = encryptionKeys({ provider: stack.provider, keep, inherited: process.env });
  const env = serviceEnvironment({ stack, apiPort, retryStep, encryptionKeys: keys }, process.env);
  // An existing catalogue is not changed: it may have other types by now.
  const isNew = demo && !isKept && stack.provider !== 'external';
  await step(
    'migrate',
    runAdmin(['migrate'], isNew ? { ...env, EVENT_CATALOGUE_FILE: PATHS.eventTypes } : env),
  );
  stage('topics, schemas and collections exist');
  const metricsPorts = await chooseFreePorts(SERVICES.map(() => undefined));
  const [token] = await Promise.all([
    receiverUrl && step('workspace and token', openWorkspace(WORKSPACE, env)),
    ...SERVICES.map(async (name, at) => {
      const own = { ...env, METRICS_PORT: String(metricsPorts[at]) };
      processes.services.push(await step(name, superviseService(name, own, report, onRestart)));
    }),
  ]);
  processes.stopJanitor = runJanitorHourly(env, report);
  stage('services are up');
  const { kafkaBrokers, mongodbUri, schemaRegistryUrl } = stack;
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const metricsUrls = metricsPorts.map((port) => `http://127.0.0.1:${port}/metrics`);
  let facts: Facts = { apiUrl, metricsUrls, kafkaBrokers, mongodbUri, schemaRegistryUrl };
  let delivered: DeliveredOnce | undefined;
  if (receiverUrl && token) {
    delivered = await step('demo', deliverOnce(apiUrl, token, receiverUrl));
    stage('the first webhook is delivered and verified');
    const consoleUrl = consoleAddress(apiUrl, token);
    const { endpointId } = delivered;
    facts = { ...facts, workspace: WORKSPACE, token, endpointId, receiverUrl, consoleUrl };
  }
  processes.facts = facts;
  writeDevFile(PATHS.devFile, processes);
  return { facts, delivered };
}

/** A configured port must be free; the default one is replaced when it is in use. */
async function chooseApiPort(wanted: number | undefined, report: (line: string) => void): Promise<number> {
  const [port = 0] = await chooseFreePorts([wanted ?? DEFAULT_PORT]);
  if (wanted !== undefined && port !== wanted)
    throw new Error(`Port ${wanted} is taken. Choose another with --port, or leave it out.`);
  if (wanted === undefined && port !== DEFAULT_PORT)
    report(`Port ${DEFAULT_PORT} is taken: the api gets ${port}.`);
  return port;
}

/** Names the failed step in the error. */
async function step<T>(name: string, work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new Error(`${name}: ${error.message}`, { cause: error });
  });
}
