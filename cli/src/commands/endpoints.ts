import { type Command, Option } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { several } from '../context/parse-options.js';
import { addEndpointCheck } from './endpoint-check.js';
import { addEndpointOptions, type EndpointOptions, readEndpointOptions, resets } from './endpoint-options.js';
import { LARGEST_PAGES } from './largest-pages.js';
import { showDelivery } from './show-delivery.js';
import { showEndpoint, stateOf } from './show-endpoint.js';

interface Changes extends EndpointOptions {
  readonly url?: string;
  readonly eventTypes?: string[];
  readonly description?: string;
  readonly enable?: true;
  readonly disable?: true;
  readonly replayHeld?: true;
}

const byId = (endpointId = '') => ({ params: { path: { endpointId } } });

export function addEndpoints(program: Command, cli: Cli): void {
  const endpoints = program.command('endpoints').description('manages webhook endpoints');
  endpoints.command('list').description('lists all endpoints').action(cli.action(list));
  endpoints.command('get <id>').description('shows an endpoint').action(cli.action(get));
  const creation = endpoints
    .command('create <url>')
    .description('creates an endpoint; `rotate-secret` then shows its signing secret')
    .requiredOption('--event-types <types>', 'event types, separated by commas; * for all', several)
    .option('--description <text>', 'what it is for');
  addEndpointOptions(creation).action(cli.action<Changes>(create));
  const change = endpoints
    .command('update <id>')
    .description('changes an endpoint; options that are not given stay unchanged')
    .option('--url <url>', 'new URL')
    .option('--event-types <types>', 'event types, which replace the current ones', several)
    .option('--description <text>', 'what it is for')
    .option('--enable', 'enables it')
    .addOption(new Option('--disable', 'disables it').conflicts(['enable', 'replayHeld']))
    .option('--replay-held', 'with --enable: also sends the deliveries that were held')
    .option(
      '--reset <options>',
      'resets these to their defaults, separated by commas: headers, filter, rate, …',
      resets,
    );
  addEndpointOptions(change).action(cli.action<Changes>(update));
  endpoints
    .command('delete <id>')
    .description('deletes an endpoint and its secrets')
    .action(
      cli.action(async ({ connect }, _, [id]) => {
        await (await connect()).client.delete('/webhooks/{endpointId}', byId(id));
      }),
    );
  endpoints
    .command('rotate-secret <id>')
    .description('creates a new signing secret and prints it once')
    .action(cli.action(rotateSecret));
  endpoints
    .command('test <id>')
    .description('sends a test event')
    .action(
      cli.action(async ({ connect, output }, _, [id]) => {
        const sent = await (await connect()).client.post('/webhooks/{endpointId}/test-event', byId(id));
        output.one(sent, showDelivery);
      }),
    );
  addEndpointCheck(endpoints, cli);
}

async function list({ connect, output, terminal }: CommandContext): Promise<void> {
  const { client } = await connect();
  await output.list(client.paginate('/webhooks', LARGEST_PAGES), [
    { title: 'ENDPOINT', value: ({ id }) => id },
    {
      title: 'STATE',
      value: (endpoint) => terminal.paint(endpoint.enabled ? 'green' : 'red', stateOf(endpoint)),
    },
    { title: 'FAILURES', value: ({ consecutiveFailures }) => String(consecutiveFailures) },
    { title: 'EVENT TYPES', value: ({ eventTypes }) => eventTypes.join(',') },
    { title: 'URL', value: ({ url }) => url },
  ]);
}

async function get({ connect, output }: CommandContext, _: object, [id]: readonly string[]): Promise<void> {
  output.one(await (await connect()).client.get('/webhooks/{endpointId}', byId(id)), showEndpoint);
}

async function create(
  { connect, output, terminal, stdin }: CommandContext,
  { eventTypes = [], description, ...options }: Changes,
  [url = '']: readonly string[],
): Promise<void> {
  const chosen = await readEndpointOptions(stdin, options);
  const body = { url, eventTypes, ...(description !== undefined && { description }), ...chosen };
  const created = await (await connect()).client.post('/webhooks', { body });
  output.one(created, showEndpoint);
  terminal.note(`Get its signing secret with: postrider endpoints rotate-secret ${created.id}`);
}

async function update(
  { connect, output, stdin }: CommandContext,
  { enable, disable, url, eventTypes, description, replayHeld, ...options }: Changes,
  [id]: readonly string[],
): Promise<void> {
  const enabled = enable === true ? true : disable === true ? false : undefined;
  const body = {
    ...(url !== undefined && { url }),
    ...(eventTypes !== undefined && { eventTypes }),
    ...(description !== undefined && { description }),
    ...(enabled !== undefined && { enabled }),
    ...(replayHeld !== undefined && { replayHeld }),
    ...(await readEndpointOptions(stdin, options)),
  };
  const { client } = await connect();
  output.one(await client.patch('/webhooks/{endpointId}', { ...byId(id), body }), (changed) => [
    ...showEndpoint(changed),
    ...(changed.replayJobId === undefined ? [] : [`  replay job ${changed.replayJobId} sends what was held`]),
  ]);
}

async function rotateSecret(
  { connect, output }: CommandContext,
  _: object,
  [id]: readonly string[],
): Promise<void> {
  const rotated = await (await connect()).client.post('/webhooks/{endpointId}/rotate-secret', byId(id));
  output.one(rotated, (keys) => ['secret' in keys ? keys.secret : keys.publicKey]);
}
