import { formatToken, hashToken, shownPrefix, TOKEN_BYTES } from '@postrider/shared/domain/api-token';
import { isScope, type Permission, type Scope, scopesBeyond } from '@postrider/shared/domain/permission';
import { Refusal } from '@postrider/shared/domain/refusal';
import type { CreateApiToken, CreatedApiToken } from '../contract/api-token.js';
import { showToken } from '../views/api-token.js';
import { announce } from './announce.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes'>;

/** Makes a token that may do no more than its maker. Its secret is shown this once; only a digest is kept. */
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
      const announced = announce(call, newId, {
        type: 'api_token.created',
        target: { type: 'api_token', id: token.id },
        metadata,
        own: { tokenId: token.id, ...metadata },
        at,
      });
      return { answer: { ...showToken(token), token: secret }, ...announced };
    });
  };
}

/** What callers make up is not repeated to them at any length. */
const LONGEST_SCOPE_SHOWN = 50;

/** @throws Refusal `InvalidScope` or `ScopeExceedsAuthority`, naming every scope that is at fault */
function scopesOf(requested: readonly string[], held: ReadonlySet<Permission>): readonly Scope[] {
  const mistakes = requested.flatMap((scope, index) =>
    isScope(scope)
      ? []
      : [
          {
            path: `scopes[${index}]`,
            message: `"${scope.slice(0, LONGEST_SCOPE_SHOWN)}" is no scope of a workspace token`,
          },
        ],
  );
  if (mistakes.length > 0) {
    throw new Refusal('InvalidScope', mistakes.map(({ message }) => message).join('; '), mistakes);
  }
  const scopes = [...new Set(requested.filter(isScope))];
  const beyond = scopesBeyond(scopes, held);
  if (beyond.length === 0) return scopes;
  throw new Refusal('ScopeExceedsAuthority', `Your own token does not grant ${beyond.join(', ')}.`);
}

/** @throws Refusal `InvalidRequest` when the token would be born expired */
function expiryOf({ expiresAt = null }: CreateApiToken, now: Date): Date | null {
  if (expiresAt === null) return null;
  const at = new Date(expiresAt);
  if (at > now) return at;
  const mistake = { path: 'expiresAt', message: 'must be a moment in the future' };
  throw new Refusal('InvalidRequest', `${mistake.path} ${mistake.message}.`, [mistake]);
}
