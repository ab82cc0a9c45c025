import { TOPICS } from '@postrider/shared/runtime/common-config';
import { parseDuration } from '@postrider/shared/runtime/config';
import { Command, InvalidArgumentError, Option } from 'commander';
import { createToken } from './create-token.js';
import { createWorkspace } from './create-workspace.js';
import { migrateAll } from './migrate.js';
import { rotateEncryptionKey } from './rotate-encryption-key.js';
import { selfTest } from './self-test.js';
import type { Terminal } from './terminal.js';
import { type VerifyOptions, verifyHistory } from './verify.js';

/** The commands of an operator. Addresses come from the environment, as for the services. */
export function adminProgram(env: NodeJS.ProcessEnv, terminal: Terminal): Command {
  const program = new Command('admin')
    .description(
      'Sets up Postrider, hands out the first tokens, proves its state and rotates its encryption key.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.printError(text.trimEnd()),
    })
    .addHelpText('after', '\nEach command reads the same environment variables as the services.');

  program
    .command('migrate')
    .description('creates topics, schemas, collections and indexes that are missing; safe to run at any time')
    .option(
      '--partitions <count>',
      `partitions of topics that it creates; ${instead('TOPIC_PARTITIONS')}`,
      atLeast(1),
    )
    .option(
      '--replication-factor <count>',
      `copies of topics that it creates, -1 for the broker's default; ${instead('TOPIC_REPLICATION_FACTOR')}`,
      atLeast(-1),
    )
    .addHelpText('after', examples('admin migrate', 'admin migrate --partitions 24 --replication-factor 3'))
    .action((options) => migrateAll(env, options, terminal));

  const workspace = program.command('workspace').description('workspaces');
  workspace
    .command('create')
    .description('makes a workspace and its owner')
    .requiredOption('--slug <slug>', 'its name in URLs: lower-case letters, digits and dashes')
    .requiredOption('--name <name>', 'its name for people')
    .requiredOption('--owner-email <address>', 'the e-mail address of its first owner')
    .option('--json', 'prints one JSON object')
    .addHelpText(
      'after',
      examples('admin workspace create --slug acme --name "Acme Inc." --owner-email ada@acme.example'),
    )
    .action((options) => createWorkspace(env, options, terminal));

  const token = program.command('token').description('API tokens');
  token
    .command('create')
    .description('makes an API token and shows its secret, this once')
    .requiredOption('--workspace <slug>', 'the workspace that it opens')
    .requiredOption('--name <name>', 'what it is for')
    .requiredOption('--scopes <scopes>', 'permissions, or read, write, admin; comma-separated', words)
    .option('--expires-in <span>', 'until it expires, like 12h or 30d; without it, it does not', span)
    .option('--json', 'prints one JSON object')
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
    .description('sends a test event through the running services and waits until it was attempted')
    .requiredOption('--api-url <url>', 'where the api is')
    .option('--url <url>', 'where the event goes, to be delivered; without it, to a name that cannot exist')
    .addOption(
      new Option('--within <span>', 'how long to wait for all of it, the api included')
        .default(60_000, '60s')
        .argParser(span),
    )
    .addHelpText('after', examples('admin self-test --api-url http://127.0.0.1:8080'))
    .action((options) => selfTest(env, options, terminal));

  addVerify(program, (options) => verifyHistory(env, options, terminal));
  program
    .command('rotate-encryption-key')
    .description('seals every stored secret with the first key of ENCRYPTION_KEYS, while everything runs')
    .option('--dry-run', 'changes nothing: says which keys seal how much')
    .option('--json', 'prints one JSON object')
    .addHelpText(
      'after',
      [
        '',
        'Every process must know the new key before any of them seals with it: see "Rotating the encryption key" in',
        'docs/operating.md. Says when the old key may be removed; exits with 1 while it may not.',
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
      'proves that summaries, streaks and audit entries follow from the stored attempts; changes nothing',
    )
    .option('--workspace <slug>', 'only this workspace')
    .option('--since <span>', 'only deliveries of the last span, like 24h or 7d', span)
    .addOption(
      new Option('--retention <span>', 'how long deliveries are kept, as the janitor is told')
        .env('RETENTION')
        .default(parseDuration('30d'), '30d')
        .argParser(span),
    )
    .addOption(
      new Option('--overdue <span>', 'work that has been due for longer is a difference')
        .default(parseDuration('1h'), '1h')
        .argParser(span),
    )
    .addOption(
      new Option('--limit <count>', 'differences that are listed; all are counted')
        .default(100)
        .argParser(atLeast(1)),
    )
    .option('--json', 'prints one JSON object')
    .addHelpText(
      'after',
      [
        '',
        'May run at any time, beside running deliveries. Exits with 0 when nothing differs, with 1 and a list when',
        'anything does. Streaks are proved over the last 29 days, or from a day after --since: older links go with',
        'their deliveries.',
        examples(
          'admin verify',
          'admin verify --workspace acme --since 24h',
          'admin verify --json --limit 1000',
        ),
      ].join('\n'),
    )
    .action(action);
}

/** What holds where an option of the migration is not given. */
const instead = (name: keyof typeof TOPICS) => `without it what ${name} says, or ${TOPICS[name].default}`;

function examples(...lines: string[]): string {
  return ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n');
}

function words(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

function span(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

function atLeast(least: number) {
  return (text: string): number => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= least && count !== 0) return count;
    throw new InvalidArgumentError(`must be a whole number of at least ${Math.max(1, least)}.`);
  };
}
