import {
  type ApiToken,
  formatToken,
  hashToken,
  isLive,
  shownPrefix,
  TOKEN_BYTES,
} from '@postrider/shared/domain/api-token';
import { ADDED_PERMISSIONS, type Scope } from '@postrider/shared/domain/permission';
import { readDateTime } from '@postrider/shared/domain/read-date-time';
import type { CreateApiToken, CreatedApiToken } from '../contract/api-token.js';
import { type Mistake, Refusal } from '../domain/refusal.js';
import { noChange, type Transaction } from '../ports/unit-of-work.js';
import { showToken } from '../views/api-token.js';
import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';
import { grantableScopes, unknownScopes } from './grantable-scopes.js';
import { revocationRecords } from './revoke-families.js';
import { type EnsurePlace, withinQuota } from './within-quota.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes' | 'requireFeature'>;

/** Creates a token with at most the caller's permissions and lifetime. Its secret is returned once; only a digest is stored. */
export function createApiToken(deps: Needs & Pick<Deps, 'tokens' | 'places' | 'quotas'>) {
  return async (call: Call, input: CreateApiToken): Promise<CreatedApiToken> => {
    const scopes = scopesOf(deps, call, input);
    const id = deps.newId('token', deps.clock.now());
    const row = { id, workspaceId: call.workspace.id, kind: 'tokens' } as const;
    const created = await withinQuota(deps, row, (ensurePlace) =>
      storeToken(deps, call, { ...input, scopes, id, ensurePlace }),
    );
    await revokeOfEndedCreator(deps, call, created.id);
    return created;
  };
}

/** Creates a token for an operator, regardless of the quota: an operator can always get into a workspace. */
export function createOperatorToken(deps: Needs) {
  return async (call: Call, input: CreateApiToken): Promise<CreatedApiToken> => {
    const scopes = scopesOf(deps, call, input);
    const id = deps.newId('token', deps.clock.now());
    return storeToken(deps, call, { ...input, scopes, id, ensurePlace: async () => {} });
  };
}

/** The mistakes in the input of a token that its schema cannot express. */
export function tokenMistakes(
  { clock }: Pick<Deps, 'clock'>,
  { scopes, expiresAt }: { readonly scopes?: unknown; readonly expiresAt?: unknown },
): readonly Mistake[] {
  const at = typeof expiresAt === 'string' ? readDateTime(expiresAt) : null;
  const isExpired = at !== null && at <= clock.now();
  return [...(Array.isArray(scopes) ? unknownScopes(scopes) : []), ...(isExpired ? [EXPIRED] : [])];
}

const EXPIRED = { path: 'expiresAt', message: 'must be in the future', isOfTime: true } as const;

interface NewToken extends Omit<CreateApiToken, 'scopes'> {
  readonly scopes: readonly Scope[];
  readonly id: ApiToken['id'];
  readonly ensurePlace: EnsurePlace;
}

function storeToken(
  { mutate, clock, newId, randomBytes }: Needs,
  call: Call,
  { id, ensurePlace, ...input }: NewToken,
): Promise<CreatedApiToken> {
  return mutate(call, async (tx) => {
    const at = clock.now();
    const expiresAt = expiryOf(input, call, at);
    await ensurePlace(tx, at);
    await refuseEndedCreator(tx, call, at);
    const secret = formatToken(randomBytes(TOKEN_BYTES));
    const token = {
      id,
      workspaceId: call.workspace.id,
      name: input.name,
      scopes: input.scopes,
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
    const metadata = { name: token.name, scopes: [...token.scopes] };
    const records = changeRecords(call, newId, {
      type: 'api_token.created',
      target: { type: 'api_token', id },
      metadata,
      own: { tokenId: id, ...metadata },
      at,
    });
    return { result: { ...showToken(token), token: secret }, ...records };
  });
}

function scopesOf({ requireFeature }: Needs, call: Call, input: CreateApiToken): readonly Scope[] {
  const scopes = grantableScopes(input.scopes, call.permissions);
  if (scopes.some(isAdded)) requireFeature('addedPermissions');
  return scopes;
}

function isAdded(scope: Scope): boolean {
  return ADDED_PERMISSIONS.some((permission) => permission === scope);
}

/**
 * @throws Refusal `InvalidRequest` when the token would already be expired, `ScopeExceedsAuthority` when it would outlive
 * its creator
 */
function expiryOf(
  { expiresAt = null }: Pick<CreateApiToken, 'expiresAt'>,
  { credential: creator }: Call,
  now: Date,
): Date | null {
  const at = expiresAt === null ? null : new Date(expiresAt);
  if (at !== null && at <= now) throw Refusal.invalid(EXPIRED);
  const latest = creator?.expiresAt ?? null;
  if (latest === null || (at !== null && at <= latest)) return at;
  throw new Refusal(
    'ScopeExceedsAuthority',
    `Your own token expires at ${latest.toISOString()}: expiresAt must not be later.`,
  );
}

/**
 * Refuses a creator whose token was revoked after its admission.
 *
 * @throws Refusal `Unauthorized`
 */
async function refuseEndedCreator(
  { tokens }: Transaction,
  { credential, workspace }: Call,
  now: Date,
): Promise<void> {
  if (credential === null) return;
  const creator = await tokens.find(workspace.id, credential.id);
  if (creator === null || !isLive(creator, now)) throw creatorEnded();
}

/**
 * The revocation of a creator during the creation does not conflict with it, and a cascade may miss the new token. So the
 * creator is read again after the commit: either it is live, and a later revocation finds the token, or the token is
 * revoked before its secret is returned.
 *
 * @throws Refusal `Unauthorized`
 */
async function revokeOfEndedCreator(
  { mutate, tokens, clock, newId }: Needs & Pick<Deps, 'tokens'>,
  call: Call,
  tokenId: string,
): Promise<void> {
  const { credential, workspace } = call;
  if (credential === null) return;
  const creator = await tokens.findNow(workspace.id, credential.id);
  if (creator !== null && isLive(creator, clock.now())) return;
  await mutate({ idempotency: null }, async (tx) => {
    const at = clock.now();
    const token = await tx.tokens.find(workspace.id, tokenId);
    if (token === null || token.revokedAt !== null) return noChange(undefined);
    await tx.tokens.save({ ...token, revokedAt: at });
    return { result: undefined, ...revocationRecords(call, newId, { token, at }) };
  });
  throw creatorEnded();
}

function creatorEnded(): Refusal {
  return new Refusal('Unauthorized', 'Your own token was revoked or has expired.');
}
