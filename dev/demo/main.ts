import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ADMIN } from '../start/describe-services.js';
import { ROOT } from '../start/places.js';
import { createApiClient } from './api-client.js';
import { deliverOnce } from './deliver-once.js';
import { openWorkspace } from './open-workspace.js';
import { tellSecret } from './print-secret.js';
import { tellDemo } from './print-walkthrough.js';

/** The demo against services that run elsewhere: containers, or a cluster. It tells its story and ends. */
const run = promisify(execFile);

function needed(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is missing`);
  return value;
}

const words = (text: string) => text.split(',').filter((word) => word !== '');

async function runAdmin(args: readonly string[]): Promise<string> {
  try {
    return (await run(process.execPath, [join(ROOT, ADMIN), ...args])).stdout;
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr?.trim() || String(error), { cause: error });
  }
}

const [apiUrl, receiverUrl] = [needed('API_URL'), needed('RECEIVER_URL')];
const token = await openWorkspace(runAdmin);
const target = { url: receiverUrl, learn: (secret: string) => tellSecret(receiverUrl, secret) };
const delivered = await deliverOnce(createApiClient(apiUrl, token), target);
const facts = {
  apiUrl: process.env.PUBLIC_API_URL ?? apiUrl,
  receiverUrl: process.env.PUBLIC_RECEIVER_URL ?? receiverUrl,
  kafkaBrokers: words(needed('KAFKA_BROKERS')),
  mongodbUri: needed('MONGODB_URI'),
  schemaRegistryUrl: needed('SCHEMA_REGISTRY_URL'),
  metricsUrls: words(process.env.METRICS_URLS ?? ''),
  token,
  endpointId: delivered.endpointId,
};
console.log(tellDemo(facts, delivered));
