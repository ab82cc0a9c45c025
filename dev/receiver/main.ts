import { Command } from 'commander';
import { startDemoReceiver } from './receiver.js';

const { host, port } = new Command('receiver')
  .description('Receives webhooks, verifies them and answers as configured (PUT /behaviour).')
  .requiredOption('--port <number>', 'port to listen on, 0 for any', Number)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .addHelpText(
    'after',
    '\nRECEIVER_SECRETS holds signing secrets, separated by commas; PUT /secrets replaces them.',
  )
  .parse()
  .opts<{ host: string; port: number }>();

const receiver = await startDemoReceiver({
  host,
  port,
  secrets: (process.env.RECEIVER_SECRETS ?? '').split(',').filter((secret) => secret !== ''),
  report: (line) => console.log(line),
});
console.log(`listening on ${receiver.url}`);
process.once('SIGTERM', () => process.exit(0));
