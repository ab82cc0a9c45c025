import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import { disabledSince } from '@postrider/shared/domain/disabled-period';
import { type Endpoint, originOf } from '@postrider/shared/domain/endpoint';
import { firstIdAt } from '@postrider/shared/domain/id';
import { fromDocument } from '@postrider/shared/mongo/documents';
import { createDirectory } from '../mongo/directory.js';
import { UsageError } from './errors.js';
import type { AdminContext } from './with-database.js';

export interface Selection {
  /** Milliseconds. */
  readonly disabledSince: number;
  readonly reason: 'consecutive_failures';
  readonly workspace?: string;
}

export interface DisabledEndpoint {
  readonly endpointId: string;
  readonly workspaceId: string;
  readonly origin: string;
  /** The start of its disabled period. */
  readonly since: Date;
}

/** Selects audit entries of disablings. @throws UsageError if the workspace does not exist */
export async function selectDisablings(
  { database, clock }: AdminContext,
  { disabledSince: agoMs, reason, workspace }: Selection,
) {
  const since = new Date(clock.now().getTime() - agoMs);
  return {
    // Identifiers are ordered by time.
    _id: { $gte: firstIdAt('audit', since) },
    action: 'webhook_endpoint.disabled' as const satisfies AuditEvent['action'],
    'metadata.reason': reason,
    ...(workspace !== undefined && { workspaceId: await workspaceIdOf(database, workspace) }),
  };
}

type Selected = Awaited<ReturnType<typeof selectDisablings>>;

/** An endpoint may have been disabled several times, and enabled since: the number is an upper bound. */
export function countDisablings({ database }: AdminContext, selected: Selected): Promise<number> {
  return database.collections.auditEvents.countDocuments(selected);
}

/** Yields the endpoints that are still disabled for this reason, each once, in the order of their disabling. */
export async function* disabledEndpoints(
  { database }: AdminContext,
  selected: Selected,
): AsyncGenerator<DisabledEndpoint> {
  const { auditEvents, endpoints } = database.collections;
  const disabledReason = selected['metadata.reason'];
  const seen = new Set<string>();
  for await (const { target } of auditEvents.find(selected)) {
    if (seen.has(target.id)) continue;
    seen.add(target.id);
    const found = await endpoints.findOne({ _id: target.id, disabledReason, deletedAt: null });
    if (found === null) continue;
    const since = disabledSince(fromDocument<Endpoint>(found));
    yield { endpointId: target.id, workspaceId: found.workspaceId, origin: originOf(found.url), since };
  }
}

async function workspaceIdOf({ collections }: AdminContext['database'], slug: string) {
  const workspace = await createDirectory(collections).workspaceBySlug(slug);
  if (workspace === null) throw new UsageError(`there is no workspace "${slug}"`);
  return workspace.id;
}
