import { type ApiToken, hashToken } from '@postrider/shared/domain/api-token';
import { isPortalSecret } from '@postrider/shared/domain/portal-link';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { Credential } from '../domain/credential.js';
import { Refusal } from '../domain/refusal.js';
import type { Directory } from '../ports/reads.js';
import type { TokenBrake } from '../rate-limits/token-brake.js';
import { credentialOf } from './credential-of.js';

interface AuthenticationParts {
  readonly directory: Pick<Directory, 'bearerByHash' | 'portalBearerByHash' | 'recordUse'>;
  readonly brake: TokenBrake;
  readonly clock: Clock;
  readonly log: Log;
}

/** The result of looking up a bearer token; nothing has been refused yet. */
export interface Authentication {
  /** Null when the token is missing, unknown, expired or revoked. */
  readonly credential: Credential | null;
  /** The workspace of the request; null unless the token belongs to it. */
  readonly workspace: Workspace | null;
  /** Why there is no credential; null where the usual reason applies. */
  readonly refusal: Refusal | null;
}

/** The facts in a request that identify its caller. */
export interface Credentials {
  readonly authorization: string | undefined;
  /** The workspace that the path names; null where the token alone decides. */
  readonly slug: string | null;
  readonly address: string;
}

/**
 * Looks up the bearer of a request.
 *
 * @throws TooManyUnknownTokens instead of looking it up
 */
export type Authenticate = (credentials: Credentials) => Promise<Authentication>;

const RECORD_USE_EVERY_MS = 60_000;
const UNAUTHENTICATED: Authentication = { credential: null, workspace: null, refusal: null };

/** Creates the lookup of bearer tokens and their workspaces. It also records when a token was last used. */
export function createAuthenticator({ directory, brake, clock, log }: AuthenticationParts): Authenticate {
  const recording = new Set<string>();
  /** Exact to the minute. The request does not wait for it. */
  const recordUse = ({ id, lastUsedAt }: ApiToken, use: { at: Date; address: string }) => {
    const isRecent = lastUsedAt !== null && use.at.getTime() - lastUsedAt.getTime() < RECORD_USE_EVERY_MS;
    if (isRecent || recording.has(id)) return;
    recording.add(id);
    directory
      .recordUse(id, use)
      .catch((err: unknown) =>
        log.debug({ event: 'token.use_not_noted', err }, 'could not record the use of a token'),
      )
      .finally(() => recording.delete(id));
  };

  return async ({ authorization, slug, address }) => {
    const secret = bearerSecretOf(authorization);
    if (secret === null) return UNAUTHENTICATED;
    const hash = hashToken(secret);
    const find = isPortalSecret(secret) ? directory.portalBearerByHash : directory.bearerByHash;
    const bearer = await brake.lookUp(
      { address, hash },
      { run: () => find(hash), isUnknown: (found) => found === null },
    );
    if (bearer === null) return UNAUTHENTICATED;
    const now = clock.now();
    const credential = credentialOf(bearer, now);
    if (credential === null) return UNAUTHENTICATED;
    const { link, token, workspace } = bearer;
    if (link === null) recordUse(token, { at: now, address });
    const isOwn = slug === null || slug === workspace.slug;
    return { credential, workspace: isOwn ? workspace : null, refusal: null };
  };
}

/**
 * @throws Refusal `Unauthorized` or the reason why there is no credential, or `WorkspaceNotFound` for another workspace as
 * for an unknown slug
 */
export function requireBearer({ credential, workspace, refusal }: Authentication): {
  credential: Credential;
  workspace: Workspace;
} {
  if (refusal !== null) throw refusal;
  if (credential === null) {
    throw new Refusal(
      'Unauthorized',
      'Send a valid API token of this workspace: Authorization: Bearer <token>. It must be neither expired nor revoked.',
    );
  }
  if (workspace === null) {
    throw new Refusal(
      'WorkspaceNotFound',
      'There is no such workspace, or the token belongs to another one.',
    );
  }
  return { credential, workspace };
}

/** The token in an `Authorization` header; null without one. */
export function bearerSecretOf(authorization: string | undefined): string | null {
  return /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
