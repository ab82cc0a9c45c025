import type { components } from '@postrider/client';
import { type Command, Option } from 'commander';
import type { Cli, CommandContext } from '../context/cli.js';
import { since } from '../context/parse-options.js';
import type { Column } from '../context/table.js';

/** The counts of one step: an hour or a day. */
type CountedStep = components['schemas']['DeliveryStatsItem'];
type Percentile = keyof NonNullable<CountedStep['latencyMs']>;

const STEPS = ['hour', 'day'] as const;

interface StatsOptions {
  readonly endpoint?: string;
  readonly since?: string;
  readonly step?: (typeof STEPS)[number];
}

export function addStats(program: Command, cli: Cli): void {
  program
    .command('stats')
    .description('counts deliveries by the hour or the day, with the duration of attempts in ms')
    .option('--endpoint <id>', 'only those to this endpoint')
    .option(
      '--since <time>',
      'since then: 24h (the default), 7d or a time, in UTC unless it has a zone',
      since,
    )
    .addOption(new Option('--step <length>', 'default: hour up to 7 days, day beyond').choices(STEPS))
    .action(cli.action<StatsOptions>(stats));
}

const percentile = (title: string, name: Percentile): Column<CountedStep> => ({
  title,
  value: ({ latencyMs }) => (latencyMs === null ? '–' : String(latencyMs[name])),
});

const COLUMNS: readonly Column<CountedStep>[] = [
  { title: 'START', value: ({ start }) => start },
  { title: 'DELIVERED', value: ({ delivered }) => String(delivered) },
  { title: 'RETRYING', value: ({ failed }) => String(failed) },
  { title: 'PERMANENT', value: ({ failedPermanent }) => String(failedPermanent) },
  { title: 'DEAD LETTERS', value: ({ deadLettered }) => String(deadLettered) },
  { title: 'HELD', value: ({ held }) => String(held) },
  { title: 'ATTEMPTS', value: ({ attempts }) => String(attempts) },
  percentile('P50', 'p50'),
  percentile('P95', 'p95'),
  percentile('P99', 'p99'),
];

async function stats(
  { connect, output }: CommandContext,
  { endpoint, since: from, step }: StatsOptions,
): Promise<void> {
  const query = {
    ...(endpoint !== undefined && { endpointId: endpoint }),
    ...(from !== undefined && { from }),
    ...(step !== undefined && { step }),
  };
  const { client } = await connect();
  const { items } = await client.get('/stats', { params: { query } });
  await output.list(items, COLUMNS);
}
