import type { Metrics } from '@postrider/shared/metrics/metrics';
import type { Clock } from '@postrider/shared/ports/clock';
import type { Log } from '@postrider/shared/ports/log';
import type { Authenticate } from '../http/authenticate.js';
import type { Directory } from '../ports/reads.js';
import type { TokenBrake } from '../rate-limits/token-brake.js';
import { createMemberAuthenticator } from './authenticate-member.js';
import { createKeySet } from './key-set.js';
import { loadKeys } from './load-keys.js';
import type { OAuthSettings } from './oauth-config.js';
import { verifyAccessToken } from './verify-access-token.js';

interface AccessTokenParts {
  readonly directory: Pick<Directory, 'memberByEmail'>;
  readonly brake: TokenBrake;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
  readonly log: Log;
  /** Authenticates all other bearers. */
  readonly otherwise: Authenticate;
}

/** Access tokens of members at `/mcp`; null where no authorization server is configured. */
export function createAccessTokens(
  settings: OAuthSettings | null,
  { directory, brake, clock, metrics, monotonicMs, log, otherwise }: AccessTokenParts,
) {
  const refused = metrics.counter('postrider_access_tokens_refused_total');
  if (settings === null) return null;
  const keys = createKeySet({ load: () => loadKeys(settings), monotonicMs, log });
  const authenticate = createMemberAuthenticator({
    settings,
    verify: (token) => verifyAccessToken({ settings, keys, clock }, token),
    directory,
    brake,
    countRefused: (reason) => refused.inc({ reason }),
    otherwise,
  });
  return { settings, authenticate };
}
