import { parseDuration } from '@postrider/shared/runtime/variables';
import { type Command, Option } from 'commander';
import { examples } from './examples.js';
import { atLeast, duration } from './parse-options.js';
import type { Surroundings } from './surroundings.js';
import { type VerifyOptions, verifyHistory } from './verify.js';

export function addVerify(program: Command, { env, terminal }: Surroundings): void {
  program
    .command('verify')
    .description(
      'checks that delivery summaries, streaks and audit entries match the stored attempts; read-only',
    )
    .option('--workspace <slug>', 'check only this workspace')
    .option(
      '--since <duration>',
      'check only deliveries created within this time, such as 24h or 7d',
      duration,
    )
    .addOption(
      new Option('--retention <duration>', 'retention of deliveries, the same as for the janitor')
        .env('RETENTION')
        .default(parseDuration('30d'), '30d')
        .argParser(duration),
    )
    .addOption(
      new Option('--overdue <duration>', 'report deliveries that have been due for longer than this')
        .default(parseDuration('1h'), '1h')
        .argParser(duration),
    )
    .addOption(
      new Option('--limit <count>', 'list at most this many differences; all are counted')
        .default(100)
        .argParser(atLeast(1)),
    )
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      [
        '',
        'Safe to run at any time, while deliveries are in progress. Exits with 0 when there are no differences, else',
        'lists them and exits with 1. Streaks are checked over the last 29 days, or from a day after --since, because',
        'older changes expire with their deliveries.',
        examples(
          'admin verify',
          'admin verify --workspace acme --since 24h',
          'admin verify --json --limit 1000',
        ),
      ].join('\n'),
    )
    .action((options: VerifyOptions) => verifyHistory(env, options, terminal));
}
