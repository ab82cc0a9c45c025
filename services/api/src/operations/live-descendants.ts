import type { ApiToken } from '@postrider/shared/domain/api-token';
import { distinct } from '@postrider/shared/domain/distinct';
import type { CreatorToken, LiveTokens, Transaction } from '../ports/unit-of-work.js';

/** Maximum number of live tokens whose creators are read: more than a workspace has by default. */
const MAX_LIVE = 5_000;
/** Maximum number of tokens from a live one up to a pending one, each of which is a query. */
const MAX_LEVELS = 1_000;

/**
 * Finds the live tokens of pending families from below, so that revoked ones are read only if they are between: a workspace
 * has few live tokens, but a token may have made very many that are revoked.
 *
 * @returns null if there are too many live tokens, or too many revoked ones between
 */
export async function liveDescendants(
  tokens: Pick<Transaction['tokens'], 'live' | 'creators'>,
  unexpired: LiveTokens,
): Promise<readonly ApiToken[] | null> {
  const live = await tokens.live(unexpired, MAX_LIVE + 1);
  if (live.length > MAX_LIVE) return null;
  const creators = new Map<string, CreatorToken>();
  let next = creatorIds(live);
  for (let level = 0; next.length > 0; level += 1) {
    if (level === MAX_LEVELS) return null;
    const found = await tokens.creators(next);
    for (const creator of found) creators.set(creator.id, creator);
    next = creatorIds(found.filter(({ family }) => family !== 'pending')).filter((id) => !creators.has(id));
  }
  return live.filter((token) => isOfPending(token, creators));
}

function creatorIds(tokens: readonly Pick<ApiToken, 'createdBy'>[]): string[] {
  return distinct(tokens.flatMap(({ createdBy }) => createdBy ?? []));
}

function isOfPending(
  token: Pick<ApiToken, 'createdBy'>,
  creators: ReadonlyMap<string, CreatorToken>,
): boolean {
  let creator = creators.get(token.createdBy ?? '');
  while (creator !== undefined && creator.family !== 'pending')
    creator = creators.get(creator.createdBy ?? '');
  return creator !== undefined;
}
