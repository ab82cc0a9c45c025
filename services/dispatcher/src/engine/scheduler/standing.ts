import type { Rate } from './rate.js';

/** The properties of a finished POST that affect the next ones to the same endpoint. */
export interface PostEnd {
  readonly durationMs: number;
  readonly timedOut: boolean;
}

/** A POST is prompt for this long, in milliseconds, and lingers afterwards. */
export const PROMPT_MS = 1_000;
/**
 * A POST to an endpoint that is not known to answer leaves the prompt pool after this time, in milliseconds: after a restart
 * thousands of silent endpoints are tried out, and each would keep its slot from others for a second.
 */
export const PROBATION_MS = 250;
/** How long the end of a POST affects the next ones, in milliseconds. */
const ENDING_MS = 10 * 60_000;

/**
 * How the last POST to an endpoint ended: within a second, later, or by its deadline. A failure that is known at once, such as
 * a refused connection, is prompt: it frees its slot as soon as an answer does.
 */
export type Ending = 'prompt' | 'slow' | 'silent';

/** What this process knows of an endpoint. */
export interface KnownEndpoint {
  /** Null until a POST of this process to it ended. */
  last: Ending | null;
  /** The time of that end. */
  lastAt: number;
  /** Whether its stored failure streak is above 0. */
  failing: boolean;
  /** Null until its row was read. */
  origin: string | null;
  /** When another origin was found last. A read from before says nothing about the origin. */
  movedAt: number;
  /** Its own limit of POSTs; null if there is none, or its row was not read. */
  rate: Rate | null;
  /** The next POST starts at this time at the earliest. */
  restsUntil: number;
  /** How many tries in a row made no attempt, because its secrets or headers cannot be decrypted or an error occurred. */
  unattemptedTries: number;
}

/**
 * - proven: its last POST ended within a second.
 * - new: nothing is known of it here.
 * - suspect: nothing is known of it here, but its stored failure streak is above 0.
 * - slow: its last POST ended after more than a second.
 * - silent: timed out last, or a POST has been in flight for more than a second and no other ended promptly in the last one;
 *   or its last attempt could not be made.
 */
export type Standing = 'proven' | 'new' | 'suspect' | 'slow' | 'silent';

/** The state of an endpoint that this process has not used. */
export function nothingKnown(): KnownEndpoint {
  return {
    last: null,
    lastAt: 0,
    failing: false,
    origin: null,
    movedAt: Number.NEGATIVE_INFINITY,
    rate: null,
    restsUntil: 0,
    unattemptedTries: 0,
  };
}

/** The endpoint has another origin: how the last POST ended says nothing about it. */
export function forgetEnding(known: KnownEndpoint): void {
  known.last = null;
  known.lastAt = 0;
  known.restsUntil = 0;
}

export function endingOf({ durationMs, timedOut }: PostEnd): Ending {
  if (timedOut) return 'silent';
  return durationMs > PROMPT_MS ? 'slow' : 'prompt';
}

/** @param lingering POSTs of the endpoint that are counted as lingering now */
export function standingOf(known: KnownEndpoint, lingering: number, now: number): Standing {
  const age = now - known.lastAt;
  const last = age <= ENDING_MS ? known.last : null;
  if (last === 'silent' || last === 'slow') return last;
  if (lingering > 0) return last === 'prompt' && age < PROMPT_MS ? 'slow' : 'silent';
  if (last === 'prompt') return 'proven';
  return known.failing ? 'suspect' : 'new';
}
