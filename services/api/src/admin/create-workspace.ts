import { isSlug } from '@postrider/shared/domain/workspace';
import { normalizeEmail } from '../domain/email.js';
import { createDirectory } from '../mongo/directory.js';
import { logTo, type Terminal } from './terminal.js';
import { UsageError } from './usage-error.js';
import { withDatabase } from './with-database.js';

interface WorkspaceOptions {
  readonly slug: string;
  readonly name: string;
  readonly ownerEmail: string;
  readonly json?: boolean;
}

/** Makes a workspace on the free plan, and the member who owns it. */
export async function createWorkspace(
  env: NodeJS.ProcessEnv,
  options: WorkspaceOptions,
  terminal: Terminal,
): Promise<void> {
  refuseMistakes(options);
  const { slug, name, json } = options;
  const ownerEmail = normalizeEmail(options.ownerEmail) ?? options.ownerEmail;
  const made = await withDatabase(env, logTo(terminal), async ({ database, clock, mutate, newId }) => {
    const taken = await createDirectory(database.collections).workspaceBySlug(slug);
    if (taken !== null) throw new UsageError(`the slug "${slug}" is taken by workspace ${taken.id}`);
    return mutate({ idempotency: null }, async (tx) => {
      const createdAt = clock.now();
      const id = newId('workspace', createdAt);
      const ownerId = newId('member', createdAt);
      await tx.workspaces.insert({ id, slug, name, plan: 'free', createdAt });
      await tx.members.insert({ id: ownerId, workspaceId: id, email: ownerEmail, role: 'owner' });
      return { result: { id, slug, name, plan: 'free', ownerId }, audit: [], outbox: [] };
    });
  });
  terminal.print(
    json
      ? JSON.stringify(made)
      : `Workspace ${slug} (${made.id}) belongs to ${ownerEmail} (${made.ownerId}).`,
  );
}

/** @throws UsageError that names every option that is wrong */
function refuseMistakes({ slug, name, ownerEmail }: WorkspaceOptions): void {
  const mistakes = [
    isSlug(slug)
      ? null
      : `--slug "${slug}": 1 to 63 lower-case letters, digits and dashes, no dash at either end`,
    name.trim() === '' || name.length > 100 ? '--name: 1 to 100 characters' : null,
    normalizeEmail(ownerEmail) !== null ? null : `--owner-email "${ownerEmail}" is no e-mail address`,
  ].filter((mistake) => mistake !== null);
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n       '));
}
