import {
  attemptsByDelivery,
  type Disruption,
  type Evidence,
  type Invariant,
  isBookkeeping,
  type Received,
} from '../evidence.js';

/**
 * An answered POST is recorded at once; this much later only where its rows were locked by somebody who died. While the
 * database is away it may take as long as that lasts.
 */
const RECORDED_WITHIN_MS = 30_000;
/** Who lost its partitions learns it at once, or is cut off and stops by itself after a session. */
const LEARNED_WITHIN_MS = 15_000;
/** Between what happened and its being noted here. */
const NOTED_WITHIN_MS = 1_000;

/** POSTs of a delivery, and those of them beyond the attempts that are stored. */
interface Repeats {
  readonly deliveryId: string;
  readonly posts: readonly Received[];
  readonly count: number;
}

function repeatsOf({ now, received }: Pick<Evidence, 'now' | 'received'>): readonly Repeats[] {
  const attempts = attemptsByDelivery(now);
  const repeats: Repeats[] = [];
  for (const [deliveryId, posts] of Map.groupBy(received, (post) => post.deliveryId)) {
    if (!now.rows.has(deliveryId)) continue;
    const made = (attempts.get(deliveryId) ?? []).filter((attempt) => !isBookkeeping(attempt)).length;
    if (posts.length > made) repeats.push({ deliveryId, posts, count: posts.length - made });
  }
  return repeats;
}

/** POSTs beyond the attempts that are stored. Only meaningful once nothing is in flight. */
export function repeatedPosts(evidence: Pick<Evidence, 'now' | 'received'>): number {
  return repeatsOf(evidence).reduce((sum, { count }) => sum + count, 0);
}

/**
 * I8, to be judged at the end: a POST is repeated only where its sender ended before it was recorded, or others got its
 * partition meanwhile. How many that can be at once is bounded; more telling is when they were made: each of them
 * shortly before such a disruption, or by somebody who had not learned of it.
 */
export const repeatsAreExplained: Invariant = (evidence) => {
  const { disruptions, mostOpen } = evidence.circumstances;
  const repeats = repeatsOf(evidence);
  const repeated = repeats.reduce((sum, { count }) => sum + count, 0);
  const most = disruptions.length * mostOpen;
  const tooMany =
    repeated <= most
      ? []
      : [
          `${repeated} POSTs were repeated, ${most} at most are explained by ${disruptions.length} disruptions`,
        ];
  return [...tooMany, ...unexplained(evidence, repeats)];
};

/** I8 while the system works: what is said of POSTs that must have been recorded long ago. */
export const oldRepeatsAreExplained: Invariant = (evidence) => {
  const { now, circumstances } = evidence;
  const { outage, faultBegan, faultEnded, timeoutMs } = circumstances;
  const isAway = outage === 'database' && faultBegan !== null;
  if (isAway && (faultEnded === null || now.at < faultEnded + RECORDED_WITHIN_MS)) return [];
  const recent = now.at - timeoutMs - RECORDED_WITHIN_MS;
  return unexplained(
    evidence,
    repeatsOf(evidence).filter(({ posts }) => posts.every(({ at }) => at < recent)),
  );
};

function unexplained({ circumstances }: Evidence, repeats: readonly Repeats[]): string[] {
  const { disruptions, outage, timeoutMs } = circumstances;
  const recordedWithin = outage === 'database' ? Number.POSITIVE_INFINITY : RECORDED_WITHIN_MS;
  const mayRepeat = ({ at, answer }: Received, disruption: Disruption) =>
    at <= disruption.at + (disruption.kind === 'move' ? LEARNED_WITHIN_MS : NOTED_WITHIN_MS) &&
    (answer?.at ?? at + timeoutMs) + recordedWithin >= disruption.at;
  return repeats.flatMap(({ deliveryId, posts, count }) => {
    const explained = posts.filter((post) => disruptions.some((one) => mayRepeat(post, one))).length;
    return count <= explained
      ? []
      : [
          `${deliveryId} has ${count} POSTs without a record, ${explained} of them are explained by a disruption`,
        ];
  });
}
