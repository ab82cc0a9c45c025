/** A domain that answered recently and was tried within the window. */
export interface TriedDomain {
  readonly domain: string;
  readonly workspaceId: string;
  /** Whether the last POST to each of its origins reached nothing. */
  readonly unreached: boolean;
}

/** One entry for each domain. It is unreached if it is in all entries. */
export function mergeDomains(entries: readonly TriedDomain[]): TriedDomain[] {
  const merged = new Map<string, TriedDomain>();
  for (const entry of entries) {
    const before = merged.get(entry.domain);
    merged.set(entry.domain, { ...entry, unreached: entry.unreached && (before?.unreached ?? true) });
  }
  return [...merged.values()];
}

export interface OutageRule {
  /** Domains that must have been tried. */
  readonly minOrigins: number;
  /** Workspaces that they must belong to. */
  readonly minWorkspaces: number;
  /** The fraction of them that must be unreached. */
  readonly unreachedFrom: number;
  /** The fraction that must not have been unreached in the time before. */
  readonly baselineBelow: number;
}

export interface FairCount {
  readonly tried: number;
  readonly unreached: number;
  readonly workspaces: number;
}

/** No workspace counts for more than this fraction of all, if there are enough workspaces. */
const MAX_SHARE = 0.2;

/**
 * Counts domains so that no workspace decides: each counts for at most a fifth of the whole, or for its part of the
 * minimum where there are fewer than five workspaces.
 */
export function countFairly(
  domains: readonly TriedDomain[],
  { minOrigins, minWorkspaces }: Pick<OutageRule, 'minOrigins' | 'minWorkspaces'>,
): FairCount {
  const counts = new Map<string, { tried: number; unreached: number }>();
  for (const { workspaceId, unreached } of domains) {
    const count = counts.get(workspaceId) ?? { tried: 0, unreached: 0 };
    count.tried += 1;
    if (unreached) count.unreached += 1;
    counts.set(workspaceId, count);
  }
  const all = [...counts.values()];
  const limit = limitOf(
    all.map(({ tried }) => tried),
    Math.ceil(minOrigins / minWorkspaces),
  );
  let tried = 0;
  let unreached = 0;
  for (const count of all) {
    const counted = Math.min(count.tried, limit);
    tried += counted;
    unreached += (count.unreached * counted) / count.tried;
  }
  return { tried, unreached, workspaces: counts.size };
}

/** The largest number of domains of a workspace that is at most `least`, or a fifth of what is counted with it. */
function limitOf(sizes: readonly number[], least: number): number {
  let limit = Math.max(least, ...sizes);
  for (;;) {
    const counted = sizes.reduce((sum, size) => sum + Math.min(size, limit), 0);
    const next = Math.max(least, Math.floor(counted * MAX_SHARE));
    if (next >= limit) return limit;
    limit = next;
  }
}

/** Whether most of many independent receivers became unreachable at once, which no receiver can cause. */
export function isOutage(domains: readonly TriedDomain[], baseline: number, rule: OutageRule): boolean {
  const { tried, unreached, workspaces } = countFairly(domains, rule);
  return (
    tried >= rule.minOrigins &&
    workspaces >= rule.minWorkspaces &&
    unreached >= rule.unreachedFrom * tried &&
    baseline < rule.baselineBelow
  );
}

/** The fraction of domains that are unreached; 0 if none was tried. */
export function unreachedShare(domains: readonly TriedDomain[], rule: OutageRule): number {
  const { tried, unreached } = countFairly(domains, rule);
  return tried === 0 ? 0 : unreached / tried;
}
