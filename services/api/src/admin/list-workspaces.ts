import type { Plan, Workspace } from '@postrider/shared/domain/workspace';
import { fromDocument } from '@postrider/shared/mongo/documents';
import { logTo, type Terminal } from './terminal.js';
import { type AdminContext, withDatabase } from './with-database.js';

interface ListOptions {
  readonly slugPrefix?: string;
  readonly plan?: Plan;
  readonly after?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

/** Prints the workspaces by slug, one a line, as they are read. */
export async function listWorkspaces(
  env: NodeJS.ProcessEnv,
  options: ListOptions,
  terminal: Terminal,
): Promise<void> {
  const show = options.json ? shownAsJson : shownAsText;
  await withDatabase(env, logTo(terminal), async (context) => {
    let count = 0;
    let last = '';
    for await (const workspace of workspacesBySlug(context, options)) {
      if (count === options.limit)
        return terminal.printError(`There are more: continue with --after ${last}`);
      terminal.print(show(workspace));
      count += 1;
      last = workspace.slug;
    }
  });
}

/** Yields one more than the limit, which shows that there are more. */
async function* workspacesBySlug(
  { database }: AdminContext,
  { slugPrefix, plan, after, limit }: ListOptions,
): AsyncGenerator<Workspace> {
  const rows = database.collections.workspaces
    .find({
      $and: [
        // In slugs, nothing sorts after "~".
        slugPrefix === undefined ? {} : { slug: { $gte: slugPrefix, $lt: `${slugPrefix}~` } },
        after === undefined ? {} : { slug: { $gt: after } },
        plan === undefined ? {} : { plan },
      ],
    })
    .sort({ slug: 1 });
  for await (const row of limit === undefined ? rows : rows.limit(limit + 1))
    yield fromDocument<Workspace>(row);
}

function shownAsJson({ id, slug, name, plan, createdAt }: Workspace): string {
  return JSON.stringify({ id, slug, name, plan, createdAt });
}

function shownAsText({ id, slug, name, plan }: Workspace): string {
  return `${slug} ${id} ${plan} ${name}`;
}
