import type { StreakChange } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';

/** A change of a streak and when it happened. */
export interface StreakLink extends StreakChange {
  readonly at: Date;
}

/** Links without a gap, from one version to another. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
  /** When the version `to` came. */
  readonly at: Date;
}

/** What an endpoint says of its streak. */
export type StreakEnd = Pick<
  Endpoint,
  'streakVersion' | 'consecutiveFailures' | 'createdAt' | 'failingSince'
>;

/**
 * The changes of one endpoint's streak, put together in whatever order they are found. It remembers runs instead of
 * links, so it stays small however long the chain is.
 */
export interface StreakChain {
  /** @returns what is wrong with the link; null when it fits */
  add(link: StreakLink): string | null;
  /**
   * Does the chain lead to what the endpoint says?
   *
   * @param completeSince no link since then is missing: older ones go with their deliveries
   */
  finish(end: StreakEnd, completeSince: Date): readonly string[];
}

export function createStreakChain(): StreakChain {
  const runs: Run[] = [];
  return {
    add(link) {
      const { version, before, after } = link;
      const at = firstFrom(runs, version);
      const [left, right] = [runs[at - 1], runs[at]];
      if (left !== undefined && left.to >= version) return `version ${version} is told twice`;
      if (after !== 0 && after !== before + 1) return `version ${version} steps from ${before} to ${after}`;
      const joinsLeft = left?.to === version - 1;
      const joinsRight = right?.from === version + 1;
      const first = joinsLeft ? left : { from: version, before };
      const last = joinsRight ? right : { to: version, after, at: link.at };
      const run = { from: first.from, before: first.before, to: last.to, after: last.after, at: last.at };
      runs.splice(joinsLeft ? at - 1 : at, Number(joinsLeft) + Number(joinsRight), run);
      if (joinsLeft && left.after !== before) return broken(version, left.after, before);
      if (joinsRight && right.before !== after) return broken(version + 1, after, right.before);
      return null;
    },
    finish(end, completeSince) {
      const known = anchors(runs, end).filter(({ at }) => at >= completeSince);
      const missing = gaps(runs, end.streakVersion)
        .filter(([, to]) => known.some(({ version }) => version < to))
        .map(([from, to]) =>
          from === to ? `version ${from} is missing` : `versions ${from} to ${to} are missing`,
        );
      return [...missing, ...endsElsewhere(runs.at(-1), end)];
    },
  };
}

function broken(version: number, left: number, begins: number): string {
  return `version ${version} begins at ${begins}, but the one before it left ${left}`;
}

/** The place of the first run that begins after a version. */
function firstFrom(runs: readonly Run[], version: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.from ?? 0) > version) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The versions that no link tells of, first and last of each gap. */
function gaps(runs: readonly Run[], last: number): [number, number][] {
  const found: [number, number][] = [];
  let next = 1;
  for (const { from, to } of runs) {
    if (from > next) found.push([next, from - 1]);
    next = to + 1;
  }
  if (next <= last) found.push([next, last]);
  return found;
}

/** Moments of which it is known which version there was: all later versions came after them. */
function anchors(runs: readonly Run[], end: StreakEnd): { readonly version: number; readonly at: Date }[] {
  const outage =
    end.failingSince === null
      ? []
      : [{ version: end.streakVersion - end.consecutiveFailures, at: end.failingSince }];
  return [{ version: 0, at: end.createdAt }, ...outage, ...runs.map(({ to, at }) => ({ version: to, at }))];
}

function endsElsewhere(last: Run | undefined, end: StreakEnd): string[] {
  const { streakVersion, consecutiveFailures } = end;
  if (streakVersion === 0 && consecutiveFailures !== 0)
    return [`it stands at ${consecutiveFailures} without ever having changed`];
  if (last?.to !== streakVersion || last.after === consecutiveFailures) return [];
  return [`its last change left ${last.after}, but it stands at ${consecutiveFailures}`];
}
