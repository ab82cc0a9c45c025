import { formatToken, hashToken, isLive, shownPrefix, TOKEN_BYTES } from '@postrider/shared/domain/api-token';
import { ADDED_PERMISSIONS, type Scope } from '@postrider/shared/domain/permission';
import type { CreateApiToken, CreatedApiToken } from '../contract/api-token.js';
import { Refusal } from '../domain/refusal.js';
import type { Transaction } from '../ports/unit-of-work.js';
import { showToken } from '../views/api-token.js';
import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';
import { grantableScopes } from './grantable-scopes.js';
import { refuseOverQuota } from './refuse-over-quota.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes' | 'requireFeature'> & {
  /** Null for an operator, who can always get into a workspace. */
  readonly quotas: Deps['quotas'] | null;
};

/** Creates a token with at most the caller's permissions and lifetime. Its secret is returned once; only a digest is stored. */
export function createApiToken({ mutate, clock, newId, randomBytes, quotas, requireFeature }: Needs) {
  return async (call: Call, input: CreateApiToken): Promise<CreatedApiToken> => {
    const scopes = grantableScopes(input.scopes, call.permissions);
    if (scopes.some(isAdded)) requireFeature('addedPermissions');
    return mutate(call, async (tx) => {
      const at = clock.now();
      const expiresAt = expiryOf(input, call, at);
      if (quotas !== null) {
        await refuseOverQuota(tx, 'tokens', { workspaceId: call.workspace.id, now: at, quotas });
      }
      await refuseEndedMaker(tx, call, at);
      const secret = formatToken(randomBytes(TOKEN_BYTES));
      const token = {
        id: newId('token', at),
        workspaceId: call.workspace.id,
        name: input.name,
        scopes,
        hash: hashToken(secret),
        prefix: shownPrefix(secret),
        createdAt: at,
        createdBy: call.actor.id,
        lastUsedAt: null,
        lastUsedAddress: null,
        expiresAt,
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

function isAdded(scope: Scope): boolean {
  return ADDED_PERMISSIONS.some((permission) => permission === scope);
}

/**
 * @throws Refusal `InvalidRequest` when the token would already be expired, `ScopeExceedsAuthority` when it would outlive
 * its maker
 */
function expiryOf({ expiresAt = null }: CreateApiToken, { credential: maker }: Call, now: Date): Date | null {
  const at = expiresAt === null ? null : new Date(expiresAt);
  if (at !== null && at <= now) {
    const mistake = { path: 'expiresAt', message: 'must be in the future' };
    throw new Refusal('InvalidRequest', `${mistake.path} ${mistake.message}.`, [mistake]);
  }
  const latest = maker?.expiresAt ?? null;
  if (latest === null || (at !== null && at <= latest)) return at;
  throw new Refusal(
    'ScopeExceedsAuthority',
    `Your own token expires at ${latest.toISOString()}: expiresAt must not be later.`,
  );
}

/**
 * A token that was revoked since it was admitted makes no more tokens: the revocation of everything that it made would
 * miss them. Only reliable after the workspace is guarded.
 *
 * @throws Refusal `Unauthorized`
 */
async function refuseEndedMaker(
  { tokens }: Transaction,
  { credential, workspace }: Call,
  now: Date,
): Promise<void> {
  if (credential === null) return;
  const maker = await tokens.find(workspace.id, credential.id);
  if (maker !== null && isLive(maker, now)) return;
  throw new Refusal('Unauthorized', 'Your own token was revoked or has expired.');
}
