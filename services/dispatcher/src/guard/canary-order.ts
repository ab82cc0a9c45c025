import { CANARIES } from './guard-state.js';

/** An origin that answered at some time. */
export interface AnsweredOrigin {
  readonly origin: string;
  readonly domain: string;
  readonly workspaceId: string;
  /** Whether it answered so recently that it is known to work. */
  readonly isRecent: boolean;
}

/** Returns the next origin, each in turn and again from the first one; null if there is none. */
export type CanaryOrder = () => string | null;

/** How many canaries in a row follow one order: more than decide, so that each order can show alone that servers are reached. */
const IN_A_ROW = 2 * CANARIES;

/**
 * The order in which origins are tried. Some of them are gone for good, and a tenant can have thousands of these, so no group
 * of them may take most of the canaries for long. Domains take turns, however many origins they have. Three orders follow
 * each other, because each of them fails in one case that another one solves:
 *
 * - recent origins, with their workspaces in turn, if a workspace has many domains that are gone;
 * - recent origins, with their domains in turn, if many workspaces have one domain each, which is gone;
 * - older origins, if all recent ones are gone.
 */
export function createCanaryOrder(answered: readonly AnsweredOrigin[]): CanaryOrder {
  const recent = domainsOf(answered.filter(({ isRecent }) => isRecent));
  const older = domainsOf(answered.filter(({ isRecent }) => !isRecent));
  const workspaces = [...Map.groupBy(recent, ({ workspaceId }) => workspaceId).values()];
  const orders: CanaryOrder[] = [];
  // The second order begins at the other end, so that it takes longer until an origin is tried again.
  if (recent.length > 0)
    orders.push(inTurn(workspaces.map(domainsInTurn)), domainsInTurn(recent.toReversed()));
  if (older.length > 0) orders.push(domainsInTurn(older));
  return inTurn(orders, IN_A_ROW);
}

interface Domain {
  readonly workspaceId: string | undefined;
  readonly origins: CanaryOrder;
}

/** A domain counts for the workspace of its first origin alone, however many workspaces have origins of it. */
function domainsOf(answered: readonly AnsweredOrigin[]): Domain[] {
  return [...Map.groupBy(answered, ({ domain }) => domain).values()].map((some) => ({
    workspaceId: some[0]?.workspaceId,
    origins: inTurn(
      some.map(
        ({ origin }) =>
          () =>
            origin,
      ),
    ),
  }));
}

function domainsInTurn(domains: readonly Domain[]): CanaryOrder {
  return inTurn(domains.map(({ origins }) => origins));
}

/** @param inARow how often each of the orders is followed before the next one */
function inTurn(orders: readonly CanaryOrder[], inARow = 1): CanaryOrder {
  let count = 0;
  return () => {
    const order = orders[Math.floor(count / inARow) % orders.length];
    count += 1;
    return order?.() ?? null;
  };
}
