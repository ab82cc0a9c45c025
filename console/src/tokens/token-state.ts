import type { components } from '@postrider/client';

type ApiToken = components['schemas']['ApiToken'];

export function tokenState(
  { revokedAt, expiresAt }: Pick<ApiToken, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): 'live' | 'expired' | 'revoked' {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= nowMs ? 'expired' : 'live';
}
