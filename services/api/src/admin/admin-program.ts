import { TOPICS } from '@postrider/shared/runtime/common-config';
import { parseDuration } from '@postrider/shared/runtime/config';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addCatalogue } from './catalogue-commands.js';
import { createToken } from './create-token.js';
import { createWorkspace } from './create-workspace.js';
import { addEndpoints } from './endpoint-commands.js';
import { examples } from './examples.js';
import { migrateAll } from './migrate-all.js';
import { rotateEncryptionKey } from './rotate-encryption-key.js';
import { selfTest } from './self-test.js';
import type { Terminal } from './terminal.js';
import { type VerifyOptions, verifyHistory } from './verify.js';
import { workspaceLimits } from './workspace-limits.js';

/** Defines the admin commands. Addresses come from the environment, as for the services. */
export function createAdminProgram(env: NodeJS.ProcessEnv, terminal: Terminal): Command {
  const program = new Command('admin')
    .description(
      'Sets up Postrider, creates workspaces and tokens, manages event types, verifies the stored history and rotates the encryption key.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.printError(text.trimEnd()),
    })
    .addHelpText('after', '\nEach command reads the same environment variables as the services.');

  program
    .command('migrate')
    .description('creates missing topics, schemas, collections and indexes; safe to run at any time')
    .option('--partitions <count>', `partitions of new topics; ${defaultOf('TOPIC_PARTITIONS')}`, atLeast(1))
    .option(
      '--replication-factor <count>',
      `replicas of new topics, -1 for the broker's default; ${defaultOf('TOPIC_REPLICATION_FACTOR')}`,
      atLeast(-1),
    )
    .addHelpText('after', examples('admin migrate', 'admin migrate --partitions 24 --replication-factor 3'))
    .action((options) => migrateAll(env, options, terminal));

  const workspace = program.command('workspace').description('manages workspaces');
  workspace
    .command('create')
    .description('creates a workspace and its owner')
    .requiredOption('--slug <slug>', 'name in URLs: lower-case letters, digits and hyphens')
    .requiredOption('--name <name>', 'display name')
    .requiredOption('--owner-email <address>', 'e-mail address of the first owner')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples('admin workspace create --slug acme --name "Acme Inc." --owner-email ada@acme.example'),
    )
    .action((options) => createWorkspace(env, options, terminal));

  workspace
    .command('limits')
    .description('shows or changes how many endpoints and API tokens a workspace may have')
    .requiredOption('--workspace <slug>', 'workspace to change')
    .option('--endpoints <count>', 'webhook endpoints; default: ENDPOINTS_PER_WORKSPACE', atLeast(1))
    .option('--tokens <count>', 'live API tokens; default: TOKENS_PER_WORKSPACE', atLeast(1))
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('admin workspace limits --workspace acme --endpoints 100000'))
    .action((options) => workspaceLimits(env, options, terminal));

  const token = program.command('token').description('manages API tokens');
  token
    .command('create')
    .description('creates an API token and prints its secret, which is not shown again')
    .requiredOption('--workspace <slug>', 'workspace that the token gives access to')
    .requiredOption('--name <name>', 'purpose of the token')
    .requiredOption('--scopes <scopes>', 'comma-separated permissions, or read, write, admin', commaSeparated)
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
  program
    .command('self-test')
    .description('sends a test event through the running services and waits for its first delivery attempt')
    .requiredOption('--api-url <url>', 'base URL of the api')
    .option('--url <url>', 'receiver that must accept the event (default: a host name that never resolves)')
    .addOption(
      new Option('--within <duration>', 'total time to wait, including for the api to become ready')
        .default(60_000, '60s')
        .argParser(duration),
    )
    .addHelpText('after', examples('admin self-test --api-url http://127.0.0.1:8080'))
    .action((options) => selfTest(env, options, terminal));

  addCatalogue(program, env, terminal);
  addEndpoints(program, { env, terminal, duration });
  addVerify(program, (options) => verifyHistory(env, options, terminal));
  program
    .command('rotate-encryption-key')
    .description(
      're-encrypts every stored secret with the first key of ENCRYPTION_KEYS, while the services run',
    )
    .option('--dry-run', 'only print how many secrets each key encrypts')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      [
        '',
        'Every process must have the new key before any of them encrypts with it: see "Rotating the encryption key" in',
        'docs/operating.md. Reports when the old key may be removed; exits with 1 while it is still needed.',
        examples('admin rotate-encryption-key --dry-run', 'admin rotate-encryption-key'),
      ].join('\n'),
    )
    .action((options) => rotateEncryptionKey(env, options, terminal));
  return program;
}

function addVerify(program: Command, action: (options: VerifyOptions) => Promise<void>): void {
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
    .action(action);
}

/** Describes the default of a migration option. */
const defaultOf = (name: keyof typeof TOPICS) => `default: ${name}, or ${TOPICS[name].default}`;

function commaSeparated(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function duration(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** The largest number that options accept. Larger ones are mistakes, and the database refuses them from 2^63 on. */
const MOST = 1_000_000_000;

function atLeast(minimum: number) {
  return (text: string): number => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= minimum && count !== 0 && count <= MOST) return count;
    throw new InvalidArgumentError(`must be a whole number from ${Math.max(1, minimum)} to ${MOST}.`);
  };
}
