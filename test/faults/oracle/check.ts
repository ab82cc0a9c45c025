import type { Evidence, Invariant } from './evidence.js';
import { attemptRecordsAreImmutable, eventsHaveOneDelivery } from './invariants/attempts.js';
import { deliveredWasAcknowledged, nothingIsLost } from './invariants/completeness.js';
import { healthyEndpointsStayFast } from './invariants/isolation.js';
import { postsMatchTheirDelivery, postsVerify } from './invariants/posts.js';
import { nothingIsEarly, nothingIsOverdue } from './invariants/punctuality.js';
import { eachCauseIsRecordedOnce, everythingIsPublished } from './invariants/records.js';
import { oldRepeatsAreExplained, repeatsAreExplained } from './invariants/repeats.js';
import { replaysAreVerbatim } from './invariants/replays.js';
import { streaksAreConsistent } from './invariants/streaks.js';
import { summariesMatchAttempts } from './invariants/summaries.js';

export interface Violation {
  /** `I1` to `I11`, or the name of another problem. */
  readonly invariant: string;
  readonly what: string;
}

type Named = readonly (readonly [name: string, invariant: Invariant])[];

const ALWAYS: Named = [
  ['I1', deliveredWasAcknowledged],
  ['I2', attemptRecordsAreImmutable],
  ['I2', eventsHaveOneDelivery],
  ['I3', streaksAreConsistent],
  ['I4', nothingIsOverdue],
  ['I5', nothingIsEarly],
  ['I6', replaysAreVerbatim],
  ['I7', summariesMatchAttempts],
  ['I8', oldRepeatsAreExplained],
  ['I10', postsVerify],
  ['I10', postsMatchTheirDelivery],
  ['I11', eachCauseIsRecordedOnce],
];
const AT_END: Named = [
  ['I1', nothingIsLost],
  ['I8', repeatsAreExplained],
  ['I9', healthyEndpointsStayFast],
  ['I11', everythingIsPublished],
];

const checkAll = (invariants: Named, evidence: Evidence): readonly Violation[] =>
  invariants.flatMap(([invariant, check]) => check(evidence).map((what) => ({ invariant, what })));

/** Checks what must be true at every moment. */
export const checkDuringRun = (evidence: Evidence) => checkAll(ALWAYS, evidence);

/** Checks all invariants, once no work is in progress. */
export const checkAtEnd = (evidence: Evidence) => checkAll([...ALWAYS, ...AT_END], evidence);
