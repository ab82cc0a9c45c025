import type { components } from '@postrider/client';
import { type Command, Option } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { EXIT_CODES } from '../context/exit-codes.js';
import { CommandError } from '../context/explain-error.js';
import { positive, since } from '../context/parse-options.js';
import { firstOf } from './first-of.js';
import { type Followed, followDeliveries } from './follow-deliveries.js';
import { LARGEST_PAGE } from './largest-pages.js';
import { failureReasons, type Reasons } from './parse-reasons.js';
import { deliveryStatuses, STATUSES } from './parse-statuses.js';
import { reasonOf, showDelivery, showTimeline } from './show-delivery.js';
import { paintStatus } from './shown-status.js';

type Delivery = components['schemas']['Delivery'];
type Status = Delivery['status'];

interface Search {
  readonly failed?: true;
  readonly retrying?: true;
  readonly status?: readonly string[];
  readonly reason?: Reasons;
  readonly since?: string;
  readonly endpoint?: string;
  readonly eventType?: string;
  readonly event?: string;
  readonly trace?: string;
  readonly limit?: number;
  readonly follow?: true;
}

/** Deliveries shown without `--limit`. */
const DEFAULT_LIMIT = 50;

/** The same selection as that of `replay --failed`. */
const FAILED: readonly Status[] = ['failed_permanent', 'dead_lettered'];
const RETRYING: readonly Status[] = ['failed'];

export function addDeliveries(program: Command, cli: Cli): void {
  program
    .command('deliveries')
    .description('lists deliveries, newest first')
    .option(
      '--failed',
      'only those that failed for good: failed_permanent (including held ones) and dead_lettered',
    )
    .option('--retrying', 'only those that failed and will be retried: failed; can be combined with --failed')
    .addOption(
      new Option('--status <statuses>', `only these, separated by commas: ${STATUSES.join(', ')}`)
        .argParser(deliveryStatuses)
        .conflicts(['failed', 'retrying']),
    )
    .option(
      '--reason <reasons>',
      'only those whose last attempt failed for these reasons, separated by commas, such as tls,dns; or those that ended with endpoint_disabled, endpoint_deleted or retries_exhausted',
      failureReasons,
    )
    .option(
      '--since <time>',
      'only those created since: 30m, 24h, 7d or a time, in UTC unless it has a zone',
      since,
    )
    .option('--endpoint <id>', 'only those to this endpoint')
    .option('--event-type <type>', 'only those of this event type')
    .option('--event <id>', 'only those of this event')
    .option('--trace <id>', 'only those of this x-trace-id')
    .option('--limit <count>', `maximum number to list; default: ${DEFAULT_LIMIT}`, positive)
    .option('--follow', 'shows changes to deliveries as they happen, until interrupted')
    .action(cli.action<Search>(search));
  program
    .command('delivery <id>')
    .description('shows a delivery with its attempts as a timeline')
    .action(cli.action(showOne));
}

async function search(context: CommandContext, { follow, ...options }: Search): Promise<void> {
  const statuses = statusesOf(options);
  if (follow === true) return followDeliveries(context, followed(options, statuses));
  const { connect, output, terminal } = context;
  const { client } = await connect();
  const { limit = DEFAULT_LIMIT } = options;
  const asksForOthers = options.limit === undefined;
  const query = {
    limit: Math.min(asksForOthers ? limit + 1 : limit, LARGEST_PAGE),
    ...(statuses !== undefined && { status: statuses.join(',') }),
    ...queryOf(options.reason),
    ...(options.since !== undefined && { createdAfter: options.since }),
    ...(options.endpoint !== undefined && { endpointId: options.endpoint }),
    ...(options.eventType !== undefined && { eventType: options.eventType }),
    ...(options.event !== undefined && { eventId: options.event }),
    ...(options.trace !== undefined && { traceId: options.trace }),
  };
  const deliveries = client.paginate('/webhooks/deliveries', { params: { query } });
  const { first, hasOthers } = firstOf(deliveries, limit, { asksForOthers });
  await output.list(first, [
    { title: 'DELIVERY', value: ({ deliveryId }) => deliveryId },
    { title: 'CREATED', value: ({ createdAt }) => createdAt },
    { title: 'STATUS', value: (delivery) => paintStatus(delivery, terminal.paint) },
    { title: 'TRIES', value: ({ attempts }) => String(attempts) },
    {
      title: 'ANSWER',
      value: ({ lastAttempt, failureReason }) =>
        String(lastAttempt?.httpStatus ?? reasonOf(lastAttempt) ?? failureReason ?? '–'),
    },
    { title: 'EVENT TYPE', value: ({ eventType }) => eventType },
    { title: 'ENDPOINT', value: ({ endpointId }) => endpointId },
  ]);
  if (hasOthers()) {
    terminal.printError(`Only the newest ${limit} are listed: use --limit COUNT to list more.`);
  }
}

function queryOf({ failureReasons: own, lastFailureReasons: last }: Reasons = {}) {
  return {
    ...(own !== undefined && { failureReason: own.join(',') }),
    ...(last !== undefined && { lastFailureReason: last.join(',') }),
  };
}

/** Undefined selects all. */
function statusesOf({ failed, retrying, status }: Search): readonly string[] | undefined {
  if (failed === undefined && retrying === undefined) return status;
  return [...(retrying === true ? RETRYING : []), ...(failed === true ? FAILED : [])];
}

/** @throws CommandError for a filter that the stream does not have */
function followed(options: Search, statuses: readonly string[] | undefined): Followed {
  const { endpoint, eventType } = options;
  const refused = ['reason', 'since', 'event', 'trace', 'limit'].filter((name) => name in options);
  if (refused.length > 0) {
    throw new CommandError('InvalidRequest', `--follow cannot be combined with --${refused.join(', --')}.`, {
      next: 'Filter by --endpoint, --event-type, --failed, --retrying or --status.',
      exitCode: EXIT_CODES.misused,
    });
  }
  return {
    filter: {
      ...(endpoint !== undefined && { endpointId: endpoint }),
      ...(eventType !== undefined && { eventType }),
    },
    statuses,
  };
}

async function showOne(
  { connect, output }: CommandContext,
  _: object,
  [deliveryId = '']: readonly string[],
): Promise<void> {
  const { client } = await connect();
  const init = { params: { path: { deliveryId } } };
  const [delivery, { items }] = await Promise.all([
    client.get('/webhooks/deliveries/{deliveryId}', init),
    client.get('/webhooks/deliveries/{deliveryId}/attempts', init),
  ]);
  output.one({ ...delivery, history: items }, (shown) => [
    ...showDelivery(shown),
    ...showTimeline(shown.history),
  ]);
}
