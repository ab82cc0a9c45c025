import type { ApiToken } from '@postrider/shared/domain/api-token';
import type * as wire from '../contract/api-token.js';

export function showToken(token: ApiToken): wire.ApiToken {
  return {
    id: token.id,
    name: token.name,
    scopes: [...token.scopes],
    prefix: token.prefix,
    createdAt: token.createdAt.toISOString(),
    createdBy: token.createdBy,
    lastUsedAt: token.lastUsedAt?.toISOString() ?? null,
    lastUsedAddress: token.lastUsedAddress,
    expiresAt: token.expiresAt?.toISOString() ?? null,
    revokedAt: token.revokedAt?.toISOString() ?? null,
  };
}
