import { type Command, Option } from 'commander';
import { examples } from './examples.js';
import { duration } from './parse-options.js';
import { selfTest } from './self-test.js';
import type { Surroundings } from './surroundings.js';

export function addSelfTest(program: Command, { env, terminal }: Surroundings): void {
  program
    .command('self-test')
    .description('sends a test event through the running services and waits for its first delivery attempt')
    .requiredOption('--api-url <url>', 'base URL of the api')
    .option('--url <url>', 'receiver that must accept the event (default: a host name that never resolves)')
    .addOption(
      // Longer than OUTAGE_GUARD_WITHHOLD.
      new Option(
        '--within <duration>',
        'total time to wait, including for the api to become ready; a dispatcher may record a failure a minute late (OUTAGE_GUARD_WITHHOLD)',
      )
        .default(120_000, '2m')
        .argParser(duration),
    )
    .addHelpText('after', examples('admin self-test --api-url http://127.0.0.1:8080'))
    .action((options) => selfTest(env, options, terminal));
}
