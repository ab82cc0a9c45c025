import type { TokenSession } from '@postrider/client';
import type { Command } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { httpUrl, several, signingSecret } from '../context/parse-options.js';
import { misused } from '../context/read-input.js';
import { chooseSecret } from './choose-secret.js';
import { createForward, type Forwarded } from './forward.js';
import { inParallel } from './in-parallel.js';
import { isWanted } from './is-wanted.js';
import { reportInterruptions } from './report-interruptions.js';
import { toForward } from './to-forward.js';

interface ListenOptions {
  readonly forward: string;
  readonly eventTypes?: readonly string[];
  readonly endpoint?: string;
  readonly secret?: string;
}

/** Maximum number of concurrent requests to the local receiver. */
const IN_FLIGHT = 8;

export function addListen(program: Command, cli: Cli): void {
  program
    .command('listen')
    .description(
      'forwards events to a receiver on this machine as they happen; the real deliveries are sent as well',
    )
    .requiredOption('--forward <url>', 'URL to forward to, like http://localhost:3000/hook', httpUrl)
    .option('--event-types <types>', 'only these, separated by commas; invoice.* for a prefix', several)
    .option('--endpoint <id>', 'only what is delivered to this endpoint')
    .option(
      '--secret <secret>',
      'signing secret, whsec_…; default: WEBHOOK_SECRET if it is one, else a new one each time',
      signingSecret,
    )
    .action(cli.action<ListenOptions>(listen));
}

async function listen(context: CommandContext, options: ListenOptions): Promise<void> {
  const { env, connect, output, terminal } = context;
  const { client, session } = await connect();
  const { forward: url, eventTypes = [], endpoint } = options;
  // An api of an earlier version does not return them.
  const { endpointIds = null }: Partial<TokenSession> = session;
  if (endpoint === undefined && endpointIds !== null) {
    throw misused(
      'this portal link is limited to some endpoints, and shows no other events.',
      `Give one of them with --endpoint: ${endpointIds.join(', ')}.`,
    );
  }
  const secret = chooseSecret(options.secret, env);
  const begin = once(() =>
    output.one({ listening: session.workspace.slug, forward: url, secret }, () => [
      `Listening to workspace ${session.workspace.slug}, forwarding to ${url}`,
      `Signing secret: ${secret}`,
    ]),
  );
  const { onOpen: reportOpen, onDisconnect } = reportInterruptions(terminal);
  const onOpen = () => {
    begin();
    reportOpen();
  };
  const forward = createForward({ url, secret, now: () => new Date() });
  const filter =
    endpoint === undefined ? ({ source: 'events' } as const) : { endpointId: endpoint, payload: true };
  await inParallel(client.stream(filter, { onOpen, onDisconnect }), IN_FLIGHT, async (message) => {
    if (message.type === 'reset') {
      terminal.printError('The stream could not resume where it left off: events may be missing here.');
      return;
    }
    const event = toForward(message);
    if (event === null || !isWanted(event.eventType, eventTypes)) return;
    output.one(await forward(event), (forwarded) => [describe(forwarded, terminal)]);
  });
}

/** Runs a function once: the client calls `onOpen` again after each interruption. */
function once(run: () => void): () => void {
  let hasRun = false;
  return () => {
    if (!hasRun) run();
    hasRun = true;
  };
}

function describe(
  { id, eventType, httpStatus, durationMs, problem }: Forwarded,
  { paint }: CommandContext['terminal'],
): string {
  const answer = httpStatus === null ? `no response: ${problem}` : `${httpStatus} in ${durationMs} ms`;
  const isAccepted = httpStatus !== null && httpStatus >= 200 && httpStatus <= 299;
  return `${id}  ${eventType}  ${paint(isAccepted ? 'green' : 'red', answer)}`;
}
