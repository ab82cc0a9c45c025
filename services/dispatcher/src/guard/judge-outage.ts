import type { DomainEvidence } from '@postrider/shared/ports/outage-guard';

/** A domain that this process tried itself. */
export interface OwnDomain extends DomainEvidence {
  /** When the last POST to it that reached a server began, in milliseconds; -Infinity if none did. */
  readonly reachedAt: number;
}

/** Returns one entry for each domain. It is unreached if it is in all entries. */
export function mergeDomains(entries: readonly DomainEvidence[]): DomainEvidence[] {
  const merged = new Map<string, DomainEvidence>();
  for (const entry of entries) {
    const before = merged.get(entry.domain);
    merged.set(entry.domain, { ...entry, unreached: entry.unreached && (before?.unreached ?? true) });
  }
  return [...merged.values()];
}

export interface OutageRule {
  /** Minimum number of domains that were tried. */
  readonly minOrigins: number;
  /** Minimum number of workspaces to which they belong. */
  readonly minWorkspaces: number;
  /** Maximum fraction of all domains that one workspace counts for, or its part of `minOrigins` if that is more. */
  readonly workspaceShare: number;
  /** The fraction of these domains that must be unreached. */
  readonly unreachedFrom: number;
  /** The baseline must be below this fraction. */
  readonly baselineBelow: number;
  /** Number of domains reached after a failure that proves that it is not our own, however few were tried. */
  readonly reachedNeeded: number;
}

type FairRule = Pick<OutageRule, 'minOrigins' | 'minWorkspaces' | 'workspaceShare'>;

export interface FairCount {
  readonly tried: number;
  readonly unreached: number;
  readonly workspaces: number;
}

interface WorkspaceCount {
  tried: number;
  unreached: number;
  /** How many of those tried are counted. */
  counted: number;
}

/** The domains of each workspace, and how many of them count so that no single workspace decides. */
function countByWorkspace(
  domains: readonly DomainEvidence[],
  { minOrigins, minWorkspaces, workspaceShare }: FairRule,
): ReadonlyMap<string, WorkspaceCount> {
  const counts = new Map<string, WorkspaceCount>();
  for (const { workspaceId, unreached } of domains) {
    const count = counts.get(workspaceId) ?? { tried: 0, unreached: 0, counted: 0 };
    count.tried += 1;
    if (unreached) count.unreached += 1;
    counts.set(workspaceId, count);
  }
  const all = [...counts.values()];
  const limit = limitOf(
    all.map(({ tried }) => tried),
    { least: Math.ceil(minOrigins / minWorkspaces), share: workspaceShare },
  );
  for (const count of all) count.counted = Math.min(count.tried, limit);
  return counts;
}

/**
 * Counts domains so that no single workspace decides: each counts for at most its share of the whole, or for its part of the
 * minimum where there are few workspaces.
 */
export function countFairly(domains: readonly DomainEvidence[], rule: FairRule): FairCount {
  const counts = countByWorkspace(domains, rule);
  let tried = 0;
  let unreached = 0;
  for (const count of counts.values()) {
    tried += count.counted;
    unreached += (count.unreached * count.counted) / count.tried;
  }
  return { tried, unreached, workspaces: counts.size };
}

/** Maximum number of domains that count for one workspace: `share` of all that count with this limit, at least `least`. */
function limitOf(
  sizes: readonly number[],
  { least, share }: { readonly least: number; readonly share: number },
): number {
  let limit = Math.max(least, ...sizes);
  for (;;) {
    const counted = sizes.reduce((sum, size) => sum + Math.min(size, limit), 0);
    const next = Math.max(least, Math.floor(counted * share));
    if (next >= limit) return limit;
    limit = next;
  }
}

/** Whether the domains suffice for a verdict. */
export function hasEnough({ tried, workspaces }: FairCount, rule: OutageRule): boolean {
  return tried >= rule.minOrigins && workspaces >= rule.minWorkspaces;
}

/** Whether most of many independent receivers became unreachable at once, which no receiver can cause. */
export function isOutage(domains: readonly DomainEvidence[], baseline: number, rule: OutageRule): boolean {
  const count = countFairly(domains, rule);
  const isMost = count.unreached >= rule.unreachedFrom * count.tried;
  return hasEnough(count, rule) && isMost && baseline < rule.baselineBelow;
}

/** Larger than the rounding errors of a sum of fractions of domains. */
const ROUNDING = 1e-6;

/**
 * The time before which no outage can have begun: so many domains were reached from then on that the others are too few for
 * a verdict. -Infinity if there is no such time.
 */
export function noOutageBefore(domains: readonly OwnDomain[], rule: OutageRule): number {
  const counts = countByWorkspace(domains, rule);
  const { tried } = countFairly(domains, rule);
  const reached = domains.filter(({ reachedAt }) => Number.isFinite(reachedAt));
  let others = tried;
  for (const [index, one] of reached.sort((a, b) => b.reachedAt - a.reachedAt).entries()) {
    const workspace = counts.get(one.workspaceId);
    if (workspace !== undefined) others -= workspace.counted / workspace.tried;
    if (index + 1 >= rule.reachedNeeded && others < rule.unreachedFrom * tried - ROUNDING)
      return one.reachedAt;
  }
  return Number.NEGATIVE_INFINITY;
}

/** The fraction of domains that are unreached; 0 if none was tried. */
export function unreachedShare(domains: readonly DomainEvidence[], rule: OutageRule): number {
  const { tried, unreached } = countFairly(domains, rule);
  return tried === 0 ? 0 : unreached / tried;
}
