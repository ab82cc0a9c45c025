import { SYSTEM } from '@postrider/shared/domain/audit-event';
import { createDirectory } from '../mongo/directory.js';
import { auditEntry } from '../operations/change-records.js';
import { noChange, type Quotas } from '../ports/unit-of-work.js';
import { UsageError } from './errors.js';
import { logTo, type Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

interface LimitOptions extends Partial<Quotas> {
  readonly workspace: string;
  readonly json?: boolean;
}

/** Sets how many endpoints and tokens one workspace may have, and prints its limits. */
export async function workspaceLimits(
  env: NodeJS.ProcessEnv,
  { workspace: slug, json, ...options }: LimitOptions,
  terminal: Terminal,
): Promise<void> {
  const asked = pickQuotas(options);
  const own = await withDatabase(env, logTo(terminal), async ({ database, clock, mutate, newId }) => {
    const workspace = await createDirectory(database.collections).workspaceBySlug(slug);
    if (workspace === null) throw new UsageError(`there is no workspace "${slug}"`);
    return mutate({ idempotency: null }, async (tx) => {
      const before = await tx.workspaces.ownQuotas(workspace.id);
      const after = { ...before, ...asked };
      if (before.endpoints === after.endpoints && before.tokens === after.tokens) return noChange(after);
      await tx.workspaces.setOwnQuotas(workspace.id, after);
      const entry = auditEntry({ workspace, actor: SYSTEM, source: null }, newId, {
        action: 'workspace.limits_changed',
        target: { type: 'workspace', id: workspace.id },
        metadata: { ...after },
        at: clock.now(),
      });
      return { result: after, audit: [entry], outbox: [] };
    });
  });
  terminal.print(json ? JSON.stringify(own) : `${slug}: ${shown('endpoints', own)}, ${shown('tokens', own)}`);
}

function pickQuotas({ endpoints, tokens }: Partial<Quotas>): Partial<Quotas> {
  return { ...(endpoints !== undefined && { endpoints }), ...(tokens !== undefined && { tokens }) };
}

function shown(kind: keyof Quotas, own: Partial<Quotas>): string {
  return `${kind} ${own[kind] ?? 'as configured for all workspaces'}`;
}
