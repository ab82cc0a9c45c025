import { type AuditEvent, SYSTEM } from '@postrider/shared/domain/audit-event';
import { originOf } from '@postrider/shared/domain/endpoint';
import { firstIdAt } from '@postrider/shared/domain/id';
import type { Workspace } from '@postrider/shared/domain/workspace';
import { fromDocument } from '@postrider/shared/mongo/documents';
import { createDirectory } from '../mongo/directory.js';
import { enableAfterFailures } from '../operations/enable-after-failures.js';
import { UsageError } from './errors.js';
import { logTo, type Terminal } from './terminal.js';
import { type AdminContext, withDatabase } from './with-database.js';

interface EnableOptions {
  /** Milliseconds. */
  readonly disabledSince: number;
  readonly reason: 'consecutive_failures';
  readonly workspace?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

interface Found {
  readonly endpointId: string;
  readonly workspaceId: string;
  readonly origin: string;
}

/** Enables the endpoints that failures have disabled since a given time, for example in an outage of the operator's network. */
export async function enableEndpoints(
  env: NodeJS.ProcessEnv,
  options: EnableOptions,
  terminal: Terminal,
): Promise<void> {
  const handled = await withDatabase(env, logTo(terminal), async (context) => {
    const enable = enableAfterFailures(context);
    const found: Found[] = [];
    for await (const one of disabledEndpoints(context, options)) {
      const isEnabled =
        options.dryRun === true ||
        (await enable(
          { workspace: await workspaceOf(context, one), actor: SYSTEM, source: null },
          one.endpointId,
        ));
      if (isEnabled) found.push(one);
    }
    return found;
  });
  if (options.json)
    return terminal.print(JSON.stringify({ dryRun: options.dryRun === true, endpoints: handled }));
  for (const { endpointId, workspaceId, origin } of handled)
    terminal.print(`${endpointId} ${workspaceId} ${origin}`);
  const verb = options.dryRun ? 'would be enabled' : 'were enabled';
  terminal.printError(`${handled.length} endpoints ${verb}.`);
}

/** Yields the endpoints that have been disabled for this reason since then, each once, in the order of their disabling. */
async function* disabledEndpoints(
  { database, clock }: AdminContext,
  { disabledSince, reason, workspace }: EnableOptions,
): AsyncGenerator<Found> {
  const { auditEvents, endpoints } = database.collections;
  const since = new Date(clock.now().getTime() - disabledSince);
  const entries = auditEvents.find({
    // Identifiers are ordered by time.
    _id: { $gte: firstIdAt('audit', since) },
    action: 'webhook_endpoint.disabled' satisfies AuditEvent['action'],
    'metadata.reason': reason,
    ...(workspace !== undefined && { workspaceId: (await workspaceBySlug(database, workspace)).id }),
  });
  const seen = new Set<string>();
  for await (const { target } of entries) {
    if (seen.has(target.id)) continue;
    seen.add(target.id);
    const endpoint = await endpoints.findOne({ _id: target.id, disabledReason: reason, deletedAt: null });
    if (endpoint !== null)
      yield { endpointId: target.id, workspaceId: endpoint.workspaceId, origin: originOf(endpoint.url) };
  }
}

async function workspaceBySlug({ collections }: AdminContext['database'], slug: string) {
  const workspace = await createDirectory(collections).workspaceBySlug(slug);
  if (workspace === null) throw new UsageError(`there is no workspace "${slug}"`);
  return workspace;
}

async function workspaceOf({ database }: AdminContext, { workspaceId }: Found) {
  const workspace = await database.collections.workspaces.findOne({ _id: workspaceId });
  if (workspace === null) throw new Error(`the workspace ${workspaceId} does not exist any more`);
  return fromDocument<Workspace>(workspace);
}
