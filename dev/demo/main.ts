import { openWorkspace, WORKSPACE } from '../start/run-admin.js';
import { consoleAddress } from './console-address.js';
import { deliverOnce } from './deliver-once.js';
import { describeDemo } from './describe-demo.js';

// The demo for services that run in containers or a cluster: makes one delivery and prints the walk-through.

function needed(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`${name} is missing`);
  return value;
}

const words = (text: string) => text.split(',').filter((word) => word !== '');

const [apiUrl, receiverUrl] = [needed('API_URL'), needed('RECEIVER_URL')];
const token = await openWorkspace(WORKSPACE, process.env);
const delivered = await deliverOnce(apiUrl, token, receiverUrl);
const publicApiUrl = process.env.PUBLIC_API_URL ?? apiUrl;
const facts = {
  apiUrl: publicApiUrl,
  consoleUrl: consoleAddress(publicApiUrl, token),
  receiverUrl: process.env.PUBLIC_RECEIVER_URL ?? receiverUrl,
  kafkaBrokers: words(needed('KAFKA_BROKERS')),
  mongodbUri: needed('MONGODB_URI'),
  schemaRegistryUrl: needed('SCHEMA_REGISTRY_URL'),
  metricsUrls: [],
  token,
  endpointId: delivered.endpointId,
};
console.log(describeDemo(facts, delivered));
