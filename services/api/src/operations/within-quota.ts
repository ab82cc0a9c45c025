import { Refusal } from '../domain/refusal.js';
import { type HeldPlace, type NewRow, UndecidedPlace } from '../ports/places.js';
import type { Quotas, Transaction } from '../ports/unit-of-work.js';
import type { Deps } from './deps.js';

const REFUSALS = {
  endpoints: { tag: 'TooManyEndpoints', rows: 'webhook endpoints', remedy: 'Delete one' },
  tokens: { tag: 'TooManyTokens', rows: 'API tokens', remedy: 'Revoke one' },
} as const;

/** Ensures, in the transaction that inserts the row, that the workspace may get it. */
export type EnsurePlace = (
  tx: Pick<Transaction, 'workspaces' | 'endpoints' | 'tokens'>,
  now: Date,
) => Promise<void>;

/**
 * Creates a row within the quota of its workspace. Creations do not conflict with each other: each leaves room for the
 * rows whose creation began before.
 *
 * @throws Refusal `TooManyEndpoints` or `TooManyTokens`
 */
export function withinQuota<T>(
  { places, quotas }: Pick<Deps, 'places' | 'quotas'>,
  row: QuotaRow,
  create: (ensurePlace: EnsurePlace) => Promise<T>,
): Promise<T> {
  return places.hold(row, (place) => create((tx, now) => ensure(tx, { ...row, place, quotas, now })));
}

interface QuotaRow extends NewRow {
  readonly kind: keyof Quotas;
}

interface Demand extends QuotaRow {
  readonly place: HeldPlace;
  /** For workspaces without quotas of their own. */
  readonly quotas: Quotas;
  readonly now: Date;
}

async function ensure(
  tx: Parameters<EnsurePlace>[0],
  { workspaceId, kind, place, quotas, now }: Demand,
): Promise<void> {
  const quota = (await tx.workspaces.ownQuotas(workspaceId))[kind] ?? quotas[kind];
  if (place.atMost !== null && place.atMost < quota) return;
  const live = await tx[kind].countLive(workspaceId, now, quota);
  if (live >= quota) throw overQuota(kind, quota);
  place.counted(live);
  await awaitRoom(tx[kind], { live, ahead: place.ahead, quota });
}

interface Room {
  /** The number of rows that count. */
  readonly live: number;
  readonly ahead: readonly string[];
  readonly quota: number;
}

/**
 * A row ahead is either stored, which the transaction's snapshot shows, or may still be stored. Rows that were stored before
 * the snapshot or may be stored before this one are all counted, so the quota is never exceeded.
 *
 * @throws UndecidedPlace while rows ahead may take the last place
 */
export async function awaitRoom(
  { countStored }: { countStored(ids: readonly string[]): Promise<number> },
  { live, ahead, quota }: Room,
): Promise<void> {
  if (live + ahead.length < quota) return;
  if (live + ahead.length - (await countStored(ahead)) >= quota) throw new UndecidedPlace();
}

function overQuota(kind: keyof Quotas, quota: number): Refusal {
  const { tag, rows, remedy } = REFUSALS[kind];
  return new Refusal(
    tag,
    `The workspace has ${quota} ${rows}, which is its limit. ${remedy}, or ask the operator for more.`,
  );
}
