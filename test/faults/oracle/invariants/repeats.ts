import {
  attemptsByDelivery,
  type Disruption,
  type Evidence,
  type Invariant,
  isPost,
  type Received,
} from '../evidence.js';

/**
 * An answered POST is recorded at once, or this much later if a dispatcher that ended had locked its rows. While the
 * database is unavailable, it is recorded only afterwards.
 */
const RECORDED_WITHIN_MS = 30_000;
/** A dispatcher detects lost partitions at once, or stops after a session if it is cut off. */
const REASSIGNMENT_KNOWN_WITHIN_MS = 15_000;
/** Delay between a disruption and its entry in our list. */
const LISTED_WITHIN_MS = 1_000;

/** A delivery with more POSTs than attempts, and how many more. */
interface Repeats {
  readonly deliveryId: string;
  readonly posts: readonly Received[];
  readonly count: number;
}

/**
 * An attempt is sent again if the receiver closes a reused connection without a response, because that may have been at the
 * moment of its use.
 */
function resentPosts(posts: readonly Received[], attempts: number): number {
  return Math.min(attempts, posts.filter(({ isReset }) => isReset).length);
}

function repeatsOf({ now, received }: Pick<Evidence, 'now' | 'received'>): readonly Repeats[] {
  const attempts = attemptsByDelivery(now);
  return [...Map.groupBy(received, (post) => post.deliveryId)].flatMap(([deliveryId, posts]) => {
    const recorded = (attempts.get(deliveryId) ?? []).filter(isPost).length;
    const count = posts.length - recorded - resentPosts(posts, recorded);
    return count > 0 && now.deliveries.has(deliveryId) ? [{ deliveryId, posts, count }] : [];
  });
}

const total = (repeats: readonly Repeats[]) => repeats.reduce((sum, { count }) => sum + count, 0);

/** POSTs without a stored attempt. Meaningful only when none is in flight. */
export const repeatedPosts = (evidence: Pick<Evidence, 'now' | 'received'>) => total(repeatsOf(evidence));

/**
 * I8, at the end: a POST is repeated only if its sender ended, or lost the partition, before the POST was recorded. The
 * number of such POSTs is bounded, and each was sent shortly before a disruption, or by a sender unaware of it.
 */
export const repeatsAreExplained: Invariant = (evidence) => {
  const { disruptions, maxUnrecorded } = evidence.conditions;
  const repeats = repeatsOf(evidence);
  const most = disruptions.length * maxUnrecorded;
  const tooMany = `${total(repeats)} POSTs were repeated; ${disruptions.length} disruptions explain ${most} at most`;
  return [...(total(repeats) <= most ? [] : [tooMany]), ...unexplained(evidence, repeats)];
};

/** I8 during the run: checks POSTs that must have been recorded already. */
export const oldRepeatsAreExplained: Invariant = (evidence) => {
  const { now, conditions } = evidence;
  const { outage, faultBegan, faultEnded, timeoutMs } = conditions;
  const isUnavailable = outage === 'database' && faultBegan !== null;
  if (isUnavailable && (faultEnded === null || now.at < faultEnded + RECORDED_WITHIN_MS)) return [];
  const recent = now.at - timeoutMs - RECORDED_WITHIN_MS;
  const old = repeatsOf(evidence).filter(({ posts }) => posts.every(({ at }) => at < recent));
  return unexplained(evidence, old);
};

function unexplained({ conditions }: Evidence, repeats: readonly Repeats[]): string[] {
  const { disruptions, outage, timeoutMs } = conditions;
  const recordedWithin = outage === 'database' ? Number.POSITIVE_INFINITY : RECORDED_WITHIN_MS;
  const mayRepeat = ({ at, answer }: Received, { at: disruptedAt, kind }: Disruption) =>
    at <= disruptedAt + (kind === 'reassignment' ? REASSIGNMENT_KNOWN_WITHIN_MS : LISTED_WITHIN_MS) &&
    (answer?.at ?? at + timeoutMs) + recordedWithin >= disruptedAt;
  return repeats.flatMap(({ deliveryId, posts, count }) => {
    const explained = posts.filter((post) => disruptions.some((one) => mayRepeat(post, one))).length;
    if (count <= explained) return [];
    return [`${deliveryId} has ${count} POSTs without a record; a disruption explains ${explained} of them`];
  });
}
