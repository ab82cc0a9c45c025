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

export type Selected = Awaited<ReturnType<typeof selectDisablings>>;

/** An endpoint may have been disabled several times, and enabled since: the number is an upper bound. */
export function countDisablings({ database }: AdminContext, selected: Selected): Promise<number> {
  return database.collections.auditEvents.countDocuments(selected);
}

/** A cursor that is not read for 10 minutes expires: few enough for the endpoints of a batch to be handled within that time. */
const ENTRIES_AT_ONCE = 1_000;

/** Yields the ids of the endpoints that were disabled, each once, in the order of their disabling. */
export async function* disabledIds({ database }: AdminContext, selected: Selected): AsyncGenerator<string> {
  const projection = { 'target.id': 1 } as const;
  const entries = database.collections.auditEvents.find(selected, { projection, batchSize: ENTRIES_AT_ONCE });
  const seen = new Set<string>();
  for await (const { target } of entries) {
    if (seen.has(target.id)) continue;
    seen.add(target.id);
    yield target.id;
  }
}

/** Reads an endpoint. @returns null if it is not disabled for this reason any more @throws Error if it is damaged */
export async function readDisabled(
  { database }: AdminContext,
  selected: Selected,
  endpointId: string,
): Promise<DisabledEndpoint | null> {
  const disabledReason = selected['metadata.reason'];
  const found = await database.collections.endpoints.findOne({
    _id: endpointId,
    disabledReason,
    deletedAt: null,
  });
  if (found === null) return null;
  const since = disabledSince(fromDocument<Endpoint>(found));
  return { endpointId, workspaceId: found.workspaceId, origin: originOf(found.url), since };
}

async function workspaceIdOf({ collections }: AdminContext['database'], slug: string) {
  const workspace = await createDirectory(collections).workspaceBySlug(slug);
  if (workspace === null) throw new UsageError(`there is no workspace "${slug}"`);
  return workspace.id;
}
