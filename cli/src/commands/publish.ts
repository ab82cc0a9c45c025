import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { parseObject, readText } from '../context/read-input.js';

interface PublishOptions {
  readonly data?: string;
  readonly occurredAt?: string;
  readonly idempotencyKey?: string;
}

const ENVELOPE = ['eventId', 'occurredAt', 'workspaceId'];

export function addPublish(program: Command, cli: Cli): void {
  program
    .command('publish <type>')
    .description('publishes an event of a custom type to all endpoints that subscribe to it')
    .requiredOption('--data <file>', 'JSON file with its fields; - for standard input')
    .option('--occurred-at <time>', 'when it happened; default: now')
    .option(
      '--idempotency-key <key>',
      'publishes the event once, however often it is repeated within 24 hours',
    )
    .action(cli.action<PublishOptions>(publish));
  program
    .command('trigger <type>')
    .description("publishes a custom type's example, or other data, to try receivers")
    .option('--data <file>', 'JSON file with its fields; - for standard input')
    .action(cli.action<PublishOptions>(trigger));
}

async function publish(
  context: CommandContext,
  { data: file = '-', occurredAt, idempotencyKey }: PublishOptions,
  [type = '']: readonly string[],
): Promise<void> {
  const event = { type, data: await readData(context, file), ...(occurredAt && { occurredAt }) };
  await send(context, event, idempotencyKey);
}

async function trigger(
  context: CommandContext,
  { data: file }: PublishOptions,
  [type = '']: readonly string[],
): Promise<void> {
  const data = file === undefined ? await exampleOf(context, type) : await readData(context, file);
  await send(context, { type, data });
}

interface NewEvent {
  readonly type: string;
  readonly data: Record<string, unknown>;
  readonly occurredAt?: string;
}

async function send(
  { connect, output, terminal }: CommandContext,
  body: NewEvent,
  idempotencyKey?: string,
): Promise<void> {
  const options = idempotencyKey === undefined ? {} : { idempotencyKey };
  const published = await (await connect()).client.publish(body, options);
  output.one(published, ({ eventId, type }) => [`${eventId}  ${type} is accepted and will be delivered.`]);
  const { droppedFields = [] } = published;
  if (droppedFields.length > 0) {
    terminal.printError(
      `Not part of the event, because its schema does not name them: ${droppedFields.join(', ')}`,
    );
  }
}

/** The example of a type in the catalogue, without the fields that the service sets. */
async function exampleOf({ connect }: CommandContext, name: string): Promise<Record<string, unknown>> {
  const { client } = await connect();
  const { example } = await client.get('/event-types/{name}', { params: { path: { name } } });
  return Object.fromEntries(Object.entries(example).filter(([field]) => !ENVELOPE.includes(field)));
}

const readData = async ({ stdin }: CommandContext, file: string) =>
  parseObject(await readText(stdin, file), file);
