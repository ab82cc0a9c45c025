import type { StreakChange } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';

/** A change of a streak and its time. */
export interface StreakLink extends StreakChange {
  readonly at: Date;
}

/** Consecutive links without a gap. */
interface Run {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
  /** When version `to` was reached. */
  readonly at: Date;
}

/** The streak as stored in the endpoint. */
export type StreakEnd = Pick<
  Endpoint,
  'streakVersion' | 'consecutiveFailures' | 'createdAt' | 'failingSince'
>;

/**
 * Assembles the changes of one endpoint's streak in any order. It stores runs instead of links, so that memory does not
 * grow with the length of the chain.
 */
export interface StreakChain {
  /** @returns why the link is inconsistent; null when it is consistent */
  add(link: StreakLink): string | null;
  /**
   * Compares the chain with the stored streak.
   *
   * @param completeSince links since then must exist; older ones expire with their deliveries
   * @returns the inconsistencies
   */
  finish(end: StreakEnd, completeSince: Date): readonly string[];
}

export function createStreakChain(): StreakChain {
  const runs: Run[] = [];
  return {
    add(link) {
      const { version, before, after } = link;
      const at = indexAfter(runs, version);
      const [left, right] = [runs[at - 1], runs[at]];
      if (left !== undefined && left.to >= version) return `version ${version} occurs twice`;
      if (after !== 0 && after !== before + 1) return `version ${version} changes from ${before} to ${after}`;
      const joinsLeft = left?.to === version - 1;
      const joinsRight = right?.from === version + 1;
      const first = joinsLeft ? left : { from: version, before };
      const last = joinsRight ? right : { to: version, after, at: link.at };
      const run = { from: first.from, before: first.before, to: last.to, after: last.after, at: last.at };
      runs.splice(joinsLeft ? at - 1 : at, Number(joinsLeft) + Number(joinsRight), run);
      if (joinsLeft && left.after !== before) return mismatch(version, left.after, before);
      if (joinsRight && right.before !== after) return mismatch(version + 1, after, right.before);
      return null;
    },
    finish(end, completeSince) {
      const anchors = anchorsOf(runs, end).filter(({ at }) => at >= completeSince);
      const missing = gaps(runs, end.streakVersion)
        .filter(([, to]) => anchors.some(({ version }) => version < to))
        .map(([from, to]) =>
          from === to ? `version ${from} is missing` : `versions ${from} to ${to} are missing`,
        );
      return [...missing, ...endProblems(runs.at(-1), end)];
    },
  };
}

function mismatch(version: number, left: number, start: number): string {
  return `version ${version} starts at ${start}, but the previous one ended at ${left}`;
}

/** The index of the first run that starts after a version. */
function indexAfter(runs: readonly Run[], version: number): number {
  let [low, high] = [0, runs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle]?.from ?? 0) > version) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The first and last version of each gap. */
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

/** Versions with a known time: all later versions were reached after it. */
function anchorsOf(runs: readonly Run[], end: StreakEnd): { readonly version: number; readonly at: Date }[] {
  const outage =
    end.failingSince === null
      ? []
      : [{ version: end.streakVersion - end.consecutiveFailures, at: end.failingSince }];
  return [{ version: 0, at: end.createdAt }, ...outage, ...runs.map(({ to, at }) => ({ version: to, at }))];
}

function endProblems(last: Run | undefined, end: StreakEnd): string[] {
  const { streakVersion, consecutiveFailures } = end;
  if (streakVersion === 0 && consecutiveFailures !== 0)
    return [`it is stored as ${consecutiveFailures}, but it never changed`];
  if (last?.to !== streakVersion || last.after === consecutiveFailures) return [];
  return [`its last change ended at ${last.after}, but it is stored as ${consecutiveFailures}`];
}
