import type { Command } from 'commander';
import { createWorkspace } from './create-workspace.js';
import { examples } from './examples.js';
import { atLeast } from './parse-options.js';
import type { Surroundings } from './surroundings.js';
import { workspaceLimits } from './workspace-limits.js';

export function addWorkspace(program: Command, { env, terminal }: Surroundings): void {
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
}
