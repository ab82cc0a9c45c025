import type { Evidence, Invariant } from './evidence.js';
import { attemptsAreImmutable, eventsHaveOneRow } from './invariants/attempts.js';
import { everyCauseIsToldOnce, everythingIsPublished } from './invariants/causes.js';
import { oldRepeatsAreExplained, repeatsAreExplained } from './invariants/duplicates.js';
import { illnessDoesNotSpread } from './invariants/isolation.js';
import { deliveredMeansAnswered, nothingIsLost } from './invariants/owed.js';
import { everyPostHasItsRow } from './invariants/posts.js';
import { nothingIsEarly, nothingIsStuck } from './invariants/punctuality.js';
import { replaysLeaveTheirSource } from './invariants/replays.js';
import { everyPostVerifies } from './invariants/signatures.js';
import { streaksAddUp } from './invariants/streaks.js';
import { summariesHold } from './invariants/summaries.js';

/** A contradiction between the evidence and what must be true. */
export interface Violation {
  /** `I1` to `I11`. */
  readonly invariant: string;
  readonly what: string;
}

type Named = readonly (readonly [name: string, invariant: Invariant])[];

/** What has to hold at every moment. */
const ALWAYS: Named = [
  ['I1', deliveredMeansAnswered],
  ['I2', attemptsAreImmutable],
  ['I2', eventsHaveOneRow],
  ['I3', streaksAddUp],
  ['I4', nothingIsStuck],
  ['I5', nothingIsEarly],
  ['I6', replaysLeaveTheirSource],
  ['I7', summariesHold],
  ['I8', oldRepeatsAreExplained],
  ['I10', everyPostVerifies],
  ['I10', everyPostHasItsRow],
  ['I11', everyCauseIsToldOnce],
];
/** What has to hold once everything has come to an end. */
const FINALLY: Named = [
  ['I1', nothingIsLost],
  ['I8', repeatsAreExplained],
  ['I9', illnessDoesNotSpread],
  ['I11', everythingIsPublished],
];

/** Compares the logs with each other, while the system works. */
export function judgeNow(evidence: Evidence): readonly Violation[] {
  return judge(ALWAYS, evidence);
}

/** The same once nothing is under way any more, with what can only be said then. */
export function judgeFinally(evidence: Evidence): readonly Violation[] {
  return judge([...ALWAYS, ...FINALLY], evidence);
}

function judge(invariants: Named, evidence: Evidence): readonly Violation[] {
  return invariants.flatMap(([invariant, contradictions]) =>
    contradictions(evidence).map((what) => ({ invariant, what })),
  );
}
