import { randomBytes } from 'node:crypto';
import { formatToken, hashToken, shownPrefix } from '@postrider/shared/domain/api-token';
import { idOf } from '@postrider/shared/domain/id';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import type { World } from '../world/world.js';

/** Stores a workspace and a token that may do everything in it. @returns what the token's bearer sends */
export async function grantAccess(
  { database }: Pick<World, 'database'>,
  { id, slug }: { readonly id: string; readonly slug: string },
): Promise<string> {
  const { workspaces, apiTokens } = database.collections;
  const now = new Date();
  const secret = formatToken(randomBytes(32));
  await workspaces.insertOne({ _id: id, slug, name: slug, plan: 'business', createdAt: now, guard: 0 });
  await apiTokens.insertOne({
    _id: idOf('token', now, randomTail()),
    workspaceId: id,
    name: 'bench',
    scopes: ['admin'],
    hash: hashToken(secret),
    prefix: shownPrefix(secret),
    createdAt: now,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  });
  return secret;
}
