import type { ApiToken } from '@postrider/shared/domain/api-token';
import { Refusal } from '../domain/refusal.js';
import { type Change, type MadeTokens, noChange, type Transaction } from '../ports/unit-of-work.js';
import type { AuditContext } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';
import { liveDescendants } from './live-descendants.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId'>;

/** How many tokens a transaction revokes, each with its records. */
const REVOKED_AT_ONCE = 100;
/** How many tokens a transaction only marks, or looks for the tokens of. */
const MARKED_AT_ONCE = 1_000;
/** Tokens that expired earlier are skipped. Until then, a clock that was ahead may be corrected, and they are valid again. */
const EXPIRED_MS = 60 * 60 * 1_000;
/** In milliseconds, less than the time limit of a response. */
const WITHIN_MS = 8_000;

/**
 * Revokes the tokens of all pending families of a workspace in several transactions. The remaining work is stored on the
 * tokens, so it can be interrupted at any point and run twice at the same time.
 *
 * @throws Refusal `Unavailable` when it takes too long; the next call continues
 */
export async function revokeFamilies(deps: Needs, context: AuditContext): Promise<void> {
  const until = deps.clock.now().getTime() + WITHIN_MS;
  const search: Search = { isTooLong: false, found: [] };
  const step = () => deps.mutate({ idempotency: null }, (tx) => revokeSome(tx, deps, { context, search }));
  while ((await step()) === 'more') {
    if (deps.clock.now().getTime() < until) continue;
    throw new Refusal(
      'Unavailable',
      'The token created too many others to revoke at once. Repeat the request to revoke the rest.',
    );
  }
}

/** What the transactions so far have found. */
interface Search {
  /** Whether live tokens can only be found from their creators. */
  isTooLong: boolean;
  /** Tokens of pending families that were live when they were found. They are of these families for ever. */
  found: readonly string[];
}

interface Progress {
  readonly context: AuditContext;
  readonly search: Search;
}

async function revokeSome(
  tx: Transaction,
  { clock, newId }: Needs,
  { context, search }: Progress,
): Promise<Change<'more' | 'done'>> {
  const workspaceId = context.workspace.id;
  const creatorIds = await tx.tokens.pending(workspaceId, MARKED_AT_ONCE);
  if (creatorIds.length === 0) return noChange('done');
  const at = clock.now();
  const made = { workspaceId, creatorIds, unexpiredAt: new Date(at.getTime() - EXPIRED_MS) };
  const live = await liveOf(tx, made, search);
  if (live.length === 0) {
    const revoked = search.isTooLong ? await tx.tokens.revokedMadeBy(made, MARKED_AT_ONCE) : [];
    if (revoked.length > 0) await tx.tokens.markFamilies(revoked, 'pending');
    else await tx.tokens.markFamilies(creatorIds, 'done');
    return noChange('more');
  }
  const ids = live.map(({ id }) => id);
  await tx.tokens.revoke(ids, at);
  await tx.tokens.markFamilies(ids, 'pending');
  const records = live.map((token) => revocationRecords(context, newId, { token, at }));
  return {
    result: 'more',
    audit: records.flatMap(({ audit }) => audit),
    outbox: records.flatMap(({ outbox }) => outbox),
  };
}

/**
 * Some of the live tokens of pending families: those that pending tokens made, and then any. All live tokens are read again only once
 * those that were found before are revoked.
 */
async function liveOf(
  { tokens }: Transaction,
  made: MadeTokens,
  search: Search,
): Promise<readonly ApiToken[]> {
  const madeByPending = await tokens.liveMadeBy(made, REVOKED_AT_ONCE);
  if (madeByPending.length > 0 || search.isTooLong) return madeByPending;
  for (; search.found.length > 0; search.found = search.found.slice(REVOKED_AT_ONCE)) {
    const live = await tokens.liveOf(search.found.slice(0, REVOKED_AT_ONCE));
    if (live.length > 0) return live;
  }
  const descendants = await liveDescendants(tokens, made);
  search.isTooLong = descendants === null;
  search.found = descendants?.map(({ id }) => id) ?? [];
  return descendants?.slice(0, REVOKED_AT_ONCE) ?? [];
}

/** The audit entry and the event of a revoked token. */
export function revocationRecords(
  context: AuditContext,
  newId: Deps['newId'],
  { token: { id, name }, at }: { readonly token: ApiToken; readonly at: Date },
) {
  return changeRecords(context, newId, {
    type: 'api_token.revoked',
    target: { type: 'api_token', id },
    metadata: { name },
    own: { tokenId: id, name },
    at,
  });
}
