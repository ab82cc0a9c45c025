import { Command } from 'commander';
import { addCatalogue } from './catalogue-commands.js';
import { addEndpoints } from './endpoint-commands.js';
import { addMigrate } from './migrate-command.js';
import { addRepublishing } from './republish-commands.js';
import { addRotation } from './rotation-command.js';
import { addSelfTest } from './self-test-command.js';
import type { Surroundings } from './surroundings.js';
import { addToken } from './token-commands.js';
import { addVerify } from './verify-command.js';
import { addWorkspace } from './workspace-commands.js';

/** In the order of the help. */
const COMMANDS = [
  addMigrate,
  addWorkspace,
  addToken,
  addSelfTest,
  addCatalogue,
  addEndpoints,
  addRepublishing,
  addVerify,
  addRotation,
];

/** Defines the admin commands. */
export function createAdminProgram(surroundings: Surroundings): Command {
  const { terminal } = surroundings;
  const program = new Command('admin')
    .description(
      'Sets up Postrider, creates workspaces and tokens, manages event types, publishes events again, verifies the stored history and rotates the encryption key.',
    )
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.print(text.trimEnd()),
      writeErr: (text) => terminal.printError(text.trimEnd()),
    })
    .addHelpText('after', '\nEach command reads the same environment variables as the services.');
  for (const add of COMMANDS) add(program, surroundings);
  return program;
}
