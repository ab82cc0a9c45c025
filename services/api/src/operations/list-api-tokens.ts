import type * as wire from '@postrider/shared/contract/api-token';
import type { Page, PageRequest } from '@postrider/shared/contract/page';
import { showToken } from '../views/api-token.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { pageNewestFirst } from './read-page.js';

/** The tokens of a workspace, newest first; revoked and expired ones, too. */
export function listApiTokens({ tokens }: Pick<Deps, 'tokens'>) {
  return ({ workspace }: Call, request: PageRequest): Promise<Page<wire.ApiToken>> =>
    pageNewestFirst({
      list: `api-tokens ${workspace.id}`,
      request,
      read: (slice) => tokens.list(workspace.id, slice),
      show: showToken,
    });
}
