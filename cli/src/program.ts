import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { addCatalogue } from './commands/catalogue.js';
import { addCompletion } from './commands/completion.js';
import { addDeliveries } from './commands/deliveries.js';
import { addEndpoints } from './commands/endpoints.js';
import { addEvents } from './commands/events.js';
import { addListen } from './commands/listen.js';
import { addLogin } from './commands/login.js';
import { addPublish } from './commands/publish.js';
import { addReplay } from './commands/replay.js';
import { addReplayJobs } from './commands/replay-jobs.js';
import { addStats } from './commands/stats.js';
import { addVerify } from './commands/verify.js';
import { createCli, type Surroundings } from './context/cli.js';
import type { ExitCode } from './context/exit-codes.js';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

const HELP = `
Exit codes: 0 success, 1 refused, 2 invalid command line, 3 not signed in or not permitted, 4 not found,
5 unreachable or busy, 6 completed with a negative result.
POSTRIDER_URL and POSTRIDER_TOKEN override the default profile, not --profile; NO_COLOR switches colours off.`;

export function createProgram(surroundings: Surroundings, setExitCode: (code: ExitCode) => void): Command {
  const { terminal } = surroundings;
  const program = new Command('postrider')
    .description('Webhooks of a Postrider workspace: endpoints, deliveries, replays, events and signatures.')
    .version(version)
    .option('--json', 'print JSON: one object, or one object per line for lists')
    .option(
      '--profile <name>',
      'profile that `login` stored, instead of POSTRIDER_URL and POSTRIDER_TOKEN; default: default',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.printError(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'InvalidCommand: ')),
    })
    .showHelpAfterError(
      '`postrider --help` lists the commands, `postrider COMMAND --help` the options of one.',
    )
    .addHelpText('after', HELP);
  const cli = createCli(surroundings, setExitCode);
  for (const add of [
    addLogin,
    addListen,
    addEndpoints,
    addDeliveries,
    addStats,
    addReplay,
    addReplayJobs,
    addEvents,
    addPublish,
    addCatalogue,
    addVerify,
    addCompletion,
  ]) {
    add(program, cli);
  }
  return program;
}
