import { type ApiToken, hashToken, isLive } from '@postrider/shared/domain/api-token';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import { Refusal } from '../domain/refusal.js';
import type { Directory } from '../ports/reads.js';

interface AuthenticationParts {
  readonly directory: Pick<Directory, 'bearerByHash' | 'recordUse'>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The result of looking up a bearer token; nothing has been refused yet. */
export interface Authentication {
  /** Null when the token is missing, unknown, expired or revoked. */
  readonly token: ApiToken | null;
  /** The workspace of the request; null unless the token belongs to it. */
  readonly workspace: Workspace | null;
}

/** @param slug the workspace that the path names; null where the token alone decides */
export type Authenticate = (
  authorization: string | undefined,
  slug: string | null,
) => Promise<Authentication>;

const RECORD_USE_EVERY_MS = 60_000;

/** Creates the lookup of bearer tokens and their workspaces. It also records when a token was last used. */
export function createAuthenticator({ directory, clock, log }: AuthenticationParts): Authenticate {
  const recording = new Set<string>();
  /** Exact to the minute. The request does not wait for it. */
  const recordUse = ({ id, lastUsedAt }: ApiToken, now: Date) => {
    const isRecent = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < RECORD_USE_EVERY_MS;
    if (isRecent || recording.has(id)) return;
    recording.add(id);
    directory
      .recordUse(id, now)
      .catch((err: unknown) =>
        log.debug({ event: 'token.use_not_noted', err }, 'could not record the use of a token'),
      )
      .finally(() => recording.delete(id));
  };

  return async (authorization, slug) => {
    const secret = bearerSecretOf(authorization);
    if (secret === null) return { token: null, workspace: null };
    const bearer = await directory.bearerByHash(hashToken(secret));
    const now = clock.now();
    if (bearer === null || !isLive(bearer.token, now)) return { token: null, workspace: null };
    const { token, workspace } = bearer;
    recordUse(token, now);
    return { token, workspace: slug === null || slug === workspace.slug ? workspace : null };
  };
}

/** @throws Refusal `Unauthorized`, or `WorkspaceNotFound` for another workspace as for an unknown slug */
export function requireBearer({ token, workspace }: Authentication): {
  token: ApiToken;
  workspace: Workspace;
} {
  if (token === null) {
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
  return { token, workspace };
}

function bearerSecretOf(authorization: string | undefined): string | null {
  return /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
