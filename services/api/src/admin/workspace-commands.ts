import { PLANS } from '@postrider/shared/domain/workspace';
import { type Command, Option } from 'commander';
import { createWorkspace } from './create-workspace.js';
import { examples } from './examples.js';
import { listWorkspaces } from './list-workspaces.js';
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
    .command('list')
    .description('lists the workspaces by slug, one a line: slug, id, plan, name')
    .option('--slug-prefix <text>', 'only those whose slugs begin with this')
    .addOption(new Option('--plan <plan>', 'only those with this plan').choices(PLANS))
    .option('--limit <count>', 'list at most this many (default: all)', atLeast(1))
    .option('--after <slug>', 'continue after this slug')
    .option('--json', 'print one JSON object for each workspace, one a line')
    .addHelpText(
      'after',
      examples('admin workspace list', 'admin workspace list --plan business --limit 100 --json'),
    )
    .action((options) => listWorkspaces(env, options, terminal));
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
