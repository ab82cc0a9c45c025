import { words } from '@postrider/shared/runtime/variables';
import type { Command } from 'commander';
import { createToken } from './create-token.js';
import { examples } from './examples.js';
import { duration } from './parse-options.js';
import type { Surroundings } from './surroundings.js';

export function addToken(program: Command, { env, terminal }: Surroundings): void {
  const token = program.command('token').description('manages API tokens');
  token
    .command('create')
    .description('creates an API token and prints its secret, which is not shown again')
    .requiredOption('--workspace <slug>', 'workspace that the token gives access to')
    .requiredOption('--name <name>', 'purpose of the token')
    .requiredOption('--scopes <scopes>', 'comma-separated permissions, or read, write, admin', words)
    .option('--expires-in <duration>', 'lifetime such as 12h or 30d (default: never expires)', duration)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(
        'admin token create --workspace acme --name ci --scopes admin',
        'admin token create --workspace acme --name replayer --scopes read,webhook:replay --expires-in 30d --json',
      ),
    )
    .action((options) => createToken(env, options, terminal));
}
