import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Command } from 'commander';
import { createReceiver } from './receiver.js';

const CAPACITY = 500;
const STOP_WITHIN_MS = 2_000;

const { host, port } = new Command('receiver')
  .description('Receives webhooks, verifies them and answers as told (PUT /behaviour).')
  .requiredOption('--port <number>', 'port to listen on, 0 for any', Number)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .addHelpText(
    'after',
    '\nRECEIVER_SECRETS holds signing secrets, separated by commas; PUT /secrets replaces them.',
  )
  .parse()
  .opts<{ host: string; port: number }>();

const server = createReceiver({
  secrets: (process.env.RECEIVER_SECRETS ?? '').split(',').filter((secret) => secret !== ''),
  capacity: CAPACITY,
  report: (line) => console.log(line),
  now: () => new Date(),
});
server.listen(port, host);
await once(server, 'listening');
console.log(`listening on http://${host}:${(server.address() as AddressInfo).port}`);

process.once('SIGTERM', () => {
  server.close(() => process.exit(0));
  server.closeIdleConnections();
  setTimeout(() => process.exit(0), STOP_WITHIN_MS).unref();
});
