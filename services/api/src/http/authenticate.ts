import { type ApiToken, hashToken, isLive } from '@postrider/shared/domain/api-token';
import { Refusal } from '@postrider/shared/domain/refusal';
import type { Workspace } from '@postrider/shared/domain/workspace';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { Directory } from '../ports/reads.js';

interface AuthenticationParts {
  readonly directory: Directory;
  readonly clock: Clock;
  readonly log: Log;
}

/** Who a bearer is, before anything is decided. */
export interface Identified {
  /** Null when the bearer is missing, unknown, expired or revoked. */
  readonly token: ApiToken | null;
  /** The workspace that the request is about; null unless the token opens it. */
  readonly workspace: Workspace | null;
}

const NOTED_EVERY_MS = 60_000;

/**
 * Looks up the bearer of a request and the workspace that its token opens. Where the path names another one, that is
 * none of the bearer's business; where it names none (`slug` is null), the token alone says.
 */
export function identification({ directory, clock, log }: AuthenticationParts) {
  const noting = new Set<string>();
  /** Exact to the minute, and never in the caller's way. */
  const recordUse = ({ id, lastUsedAt }: ApiToken, now: Date) => {
    const isRecent = lastUsedAt !== null && now.getTime() - lastUsedAt.getTime() < NOTED_EVERY_MS;
    if (isRecent || noting.has(id)) return;
    noting.add(id);
    directory
      .recordUse(id, now)
      .catch((err: unknown) =>
        log.debug({ event: 'token.use_not_noted', err }, 'the use of a token was not noted'),
      )
      .finally(() => noting.delete(id));
  };

  return async (authorization: string | undefined, slug: string | null): Promise<Identified> => {
    const secret = bearerOf(authorization);
    if (secret === null) return { token: null, workspace: null };
    const bearer = await directory.bearerByHash(hashToken(secret));
    const now = clock.now();
    if (bearer === null || !isLive(bearer.token, now)) return { token: null, workspace: null };
    const { token, workspace } = bearer;
    recordUse(token, now);
    return { token, workspace: slug === null || slug === workspace.slug ? workspace : null };
  };
}

/** @throws Refusal `Unauthorized` or, for another workspace's token as for an unknown slug, `WorkspaceNotFound` */
export function authenticated({ token, workspace }: Identified): { token: ApiToken; workspace: Workspace } {
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

function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer +([A-Za-z0-9._~+/=-]+) *$/i.exec(authorization ?? '')?.[1] ?? null;
}
