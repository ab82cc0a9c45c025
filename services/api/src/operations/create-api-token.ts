import { formatToken, hashToken, shownPrefix, TOKEN_BYTES } from '@postrider/shared/domain/api-token';
import { isScope, type Permission, type Scope, scopesBeyond } from '@postrider/shared/domain/permission';
import type { CreateApiToken, CreatedApiToken } from '../contract/api-token.js';
import { Refusal } from '../domain/refusal.js';
import { showToken } from '../views/api-token.js';
import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes'>;

/** Creates a token with at most the caller's permissions. Its secret is returned once; only a digest is stored. */
export function createApiToken({ mutate, clock, newId, randomBytes }: Needs) {
  return (call: Call, input: CreateApiToken): Promise<CreatedApiToken> => {
    const scopes = scopesOf(input.scopes, call.permissions);
    return mutate(call, async (tx) => {
      const at = clock.now();
      const secret = formatToken(randomBytes(TOKEN_BYTES));
      const token = {
        id: newId('token', at),
        workspaceId: call.workspace.id,
        name: input.name,
        scopes,
        hash: hashToken(secret),
        prefix: shownPrefix(secret),
        createdAt: at,
        lastUsedAt: null,
        expiresAt: expiryOf(input, at),
        revokedAt: null,
      };
      await tx.tokens.insert(token);
      const metadata = { name: token.name, scopes: [...scopes] };
      const records = changeRecords(call, newId, {
        type: 'api_token.created',
        target: { type: 'api_token', id: token.id },
        metadata,
        own: { tokenId: token.id, ...metadata },
        at,
      });
      return { result: { ...showToken(token), token: secret }, ...records };
    });
  };
}

/** Limits how much of an invalid scope is repeated in the refusal. */
const LONGEST_SCOPE_SHOWN = 50;

/** @throws Refusal `InvalidScope` or `ScopeExceedsAuthority`, with every scope at fault */
function scopesOf(requested: readonly string[], granted: ReadonlySet<Permission>): readonly Scope[] {
  const mistakes = requested.flatMap((scope, index) =>
    isScope(scope)
      ? []
      : [
          {
            path: `scopes[${index}]`,
            message: `"${scope.slice(0, LONGEST_SCOPE_SHOWN)}" is not a scope of a workspace token`,
          },
        ],
  );
  if (mistakes.length > 0) {
    throw new Refusal('InvalidScope', mistakes.map(({ message }) => message).join('; '), mistakes);
  }
  const scopes = [...new Set(requested.filter(isScope))];
  const excessive = scopesBeyond(scopes, granted);
  if (excessive.length === 0) return scopes;
  throw new Refusal('ScopeExceedsAuthority', `Your own token does not grant ${excessive.join(', ')}.`);
}

/** @throws Refusal `InvalidRequest` when the token would already be expired */
function expiryOf({ expiresAt = null }: CreateApiToken, now: Date): Date | null {
  if (expiresAt === null) return null;
  const at = new Date(expiresAt);
  if (at > now) return at;
  const mistake = { path: 'expiresAt', message: 'must be in the future' };
  throw new Refusal('InvalidRequest', `${mistake.path} ${mistake.message}.`, [mistake]);
}
