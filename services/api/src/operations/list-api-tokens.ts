import type * as wire from '../contract/api-token.js';
import type { Page, PageRequest } from '../contract/page.js';
import { showToken } from '../views/api-token.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageNewestFirst } from './read-page.js';

/** Lists tokens, newest first, including revoked and expired ones. */
export function listApiTokens({ tokens }: Pick<Deps, 'tokens'>) {
  return ({ workspace }: Call, request: PageRequest): Promise<Page<wire.ApiToken>> =>
    pageNewestFirst({
      list: `api-tokens ${workspace.id}`,
      request,
      read: (slice) => tokens.list(workspace.id, slice),
      show: showToken,
    });
}
