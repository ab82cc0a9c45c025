import { Refusal } from '../domain/refusal.js';
import type { Quotas, Transaction } from '../ports/unit-of-work.js';

interface Quota {
  readonly workspaceId: string;
  readonly now: Date;
  /** Of a workspace for which the operator set no other ones. */
  readonly quotas: Quotas;
}

const REFUSALS = {
  endpoints: { tag: 'TooManyEndpoints', rows: 'webhook endpoints', remedy: 'Delete one' },
  tokens: { tag: 'TooManyTokens', rows: 'API tokens', remedy: 'Revoke one' },
} as const;

/**
 * Ensures that a workspace may get one more row of a kind. Guards the workspace, so that two creations at the same time
 * do not take the same place.
 *
 * @throws Refusal `TooManyEndpoints` or `TooManyTokens`
 */
export async function refuseOverQuota(
  tx: Pick<Transaction, 'workspaces' | 'endpoints' | 'tokens'>,
  kind: keyof Quotas,
  { workspaceId, now, quotas }: Quota,
): Promise<void> {
  await tx.workspaces.guard(workspaceId);
  const quota = (await tx.workspaces.ownQuotas(workspaceId))[kind] ?? quotas[kind];
  if ((await tx[kind].countLive(workspaceId, now, quota)) < quota) return;
  const { tag, rows, remedy } = REFUSALS[kind];
  throw new Refusal(
    tag,
    `The workspace has ${quota} ${rows}, which is its limit. ${remedy}, or ask the operator for more.`,
  );
}
