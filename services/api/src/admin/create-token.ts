import { randomBytes } from 'node:crypto';
import { SYSTEM } from '@postrider/shared/domain/audit-event';
import { PERMISSIONS } from '@postrider/shared/domain/permission';
import { newTraceId } from '@postrider/shared/runtime/trace';
import { createDirectory } from '../mongo/directory.js';
import { createOperatorToken } from '../operations/create-api-token.js';
import { UsageError } from './errors.js';
import { logTo, type Terminal } from './terminal.js';
import { withDatabase } from './with-database.js';

interface TokenOptions {
  readonly workspace: string;
  readonly name: string;
  readonly scopes: readonly string[];
  /** Milliseconds. */
  readonly expiresIn?: number;
  readonly json?: boolean;
}

/** Maximum length of a token's name, in characters, as in the REST API. */
const MAX_CHARACTERS = 100;
const LONGEST_MS = 36_500 * 24 * 60 * 60 * 1_000;

/** Creates a token with the authority of the operator, such as the first token of a workspace. */
export async function createToken(
  env: NodeJS.ProcessEnv,
  options: TokenOptions,
  terminal: Terminal,
): Promise<void> {
  const { name, scopes, expiresIn = null, json } = options;
  if (scopes.length === 0) throw new UsageError('--scopes is empty');
  if (name.length < 1 || name.length > MAX_CHARACTERS)
    throw new UsageError(`--name must have 1 to ${MAX_CHARACTERS} characters`);
  if (expiresIn !== null && (expiresIn <= 0 || expiresIn > LONGEST_MS))
    throw new UsageError('--expires-in must be more than 0 and at most 36500d');
  const created = await withDatabase(env, logTo(terminal), async (context) => {
    const workspace = await createDirectory(context.database.collections).workspaceBySlug(options.workspace);
    if (workspace === null) throw new UsageError(`there is no workspace "${options.workspace}"`);
    const call = {
      workspace,
      actor: SYSTEM,
      permissions: new Set(PERMISSIONS),
      credential: null,
      baseUrl: null,
      traceId: newTraceId(),
      source: null,
      idempotency: null,
    };
    const expiresAt =
      expiresIn === null ? null : new Date(context.clock.now().getTime() + expiresIn).toISOString();
    return createOperatorToken({ ...context, randomBytes })(call, {
      name,
      scopes: [...scopes],
      expiresAt,
    });
  });
  terminal.print(json ? JSON.stringify(created) : created.token);
  if (!json)
    terminal.printError(
      `Created token ${created.id} for workspace ${options.workspace}. It is not shown again.`,
    );
}
