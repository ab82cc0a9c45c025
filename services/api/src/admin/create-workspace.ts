import { SYSTEM } from '@postrider/shared/domain/audit-event';
import { isSlug } from '@postrider/shared/domain/workspace';
import { normalizeEmail } from '../domain/email.js';
import { createDirectory } from '../mongo/directory.js';
import { auditEntry } from '../operations/change-records.js';
import { UsageError } from './errors.js';
import { logTo, type Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

interface WorkspaceOptions {
  readonly slug: string;
  readonly name: string;
  readonly ownerEmail: string;
  readonly json?: boolean;
}

/** Creates a workspace on the free plan and its owner. */
export async function createWorkspace(
  env: NodeJS.ProcessEnv,
  options: WorkspaceOptions,
  terminal: Terminal,
): Promise<void> {
  validate(options);
  const { slug, name, json } = options;
  const ownerEmail = normalizeEmail(options.ownerEmail) ?? options.ownerEmail;
  const created = await withDatabase(env, logTo(terminal), async ({ database, clock, mutate, newId }) => {
    const taken = await createDirectory(database.collections).workspaceBySlug(slug);
    if (taken !== null) throw new UsageError(`the slug "${slug}" is taken by workspace ${taken.id}`);
    return mutate({ idempotency: null }, async (tx) => {
      const createdAt = clock.now();
      const id = newId('workspace', createdAt);
      const ownerId = newId('member', createdAt);
      const workspace = { id, slug, name, plan: 'free', createdAt } as const;
      await tx.workspaces.insert(workspace);
      await tx.members.insert({ id: ownerId, workspaceId: id, email: ownerEmail, role: 'owner' });
      const entry = auditEntry({ workspace, actor: SYSTEM, source: null }, newId, {
        action: 'workspace.created',
        target: { type: 'workspace', id },
        metadata: { slug, name, ownerId },
        at: createdAt,
      });
      return { result: { id, slug, name, plan: 'free', ownerId }, audit: [entry], outbox: [] };
    });
  });
  terminal.print(
    json
      ? JSON.stringify(created)
      : `Created workspace ${slug} (${created.id}) with owner ${ownerEmail} (${created.ownerId}).`,
  );
}

/** @throws UsageError with every invalid option */
function validate({ slug, name, ownerEmail }: WorkspaceOptions): void {
  const problems = [
    isSlug(slug)
      ? null
      : `--slug "${slug}": must be 1 to 63 lower-case letters, digits and hyphens, without a hyphen at either end`,
    name.trim() === '' || name.length > 100 ? '--name: must have 1 to 100 characters' : null,
    normalizeEmail(ownerEmail) !== null ? null : `--owner-email "${ownerEmail}" is not an e-mail address`,
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw new UsageError(problems.join('\n       '));
}
