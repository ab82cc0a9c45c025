import { type Command, Option } from 'commander';
import { enableEndpoints } from './enable-endpoints.js';
import { examples } from './examples.js';
import { duration } from './parse-options.js';
import type { Surroundings } from './surroundings.js';

export function addEndpoints(program: Command, { env, terminal }: Surroundings): void {
  const endpoints = program.command('endpoints').description('manages webhook endpoints');
  endpoints
    .command('enable')
    .description(
      'enables endpoints that failures have disabled, such as during an outage of your own network',
    )
    .requiredOption('--disabled-since <duration>', 'disabled within this time, such as 2h or 3d', duration)
    .addOption(
      new Option('--reason <reason>', 'why they are disabled; those of operators stay disabled')
        .choices(['consecutive_failures'])
        .makeOptionMandatory(),
    )
    .option('--workspace <slug>', 'only those of this workspace')
    .option('--replay-held', 'send the deliveries held while they were disabled, by a replay job of each')
    .option('--dry-run', 'only list them; with --replay-held, count their held deliveries, too')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(
        'admin endpoints enable --disabled-since 2h --reason consecutive_failures --replay-held --dry-run',
        'admin endpoints enable --disabled-since 2h --reason consecutive_failures --workspace acme',
      ),
    )
    .action((options) => enableEndpoints(env, options, terminal));
}
