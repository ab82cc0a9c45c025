import { doublingPauseMs } from '@postrider/shared/runtime/doubling-pause';

/** Upper bound of a rest, as a fraction of the POST before it. */
const MAX_PART_OF_POST = 1 / 2;
/**
 * Beyond this busy share of the process, endpoints rest longer, and so many times as long when it is always busy: recording a time-out
 * costs as much as some deliveries to endpoints that answer, which would wait for it.
 */
const BUSY = 3 / 4;
const LONGEST_STRETCH = 4;
/** The rest of an endpoint whose attempts cannot be made, in milliseconds: each try reads a row and an endpoint. */
const UNATTEMPTED = { firstMs: 1_000, longestMs: 30_000 };
/** The fractional parts of its multiples are spread evenly over 0 to 1, however many there are. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * How long an endpoint rests after a POST that timed out. Endpoints that fall silent together time out together, and without
 * rests of different lengths their next POSTs would do so again and again.
 *
 * @param busy the busy share of the process, 0 to 1
 * @returns the length of the next rest after a POST of `durationMs`, in milliseconds
 */
export function createRests(busy: () => number): (durationMs: number) => number {
  let part = 0;
  return (durationMs) => {
    part = (part + GOLDEN_RATIO) % 1;
    return durationMs * MAX_PART_OF_POST * part * stretchOf(busy());
  };
}

function stretchOf(busy: number): number {
  return 1 + (LONGEST_STRETCH - 1) * Math.max((busy - BUSY) / (1 - BUSY), 0);
}

/** @param tries in a row without an attempt, at least 1 @returns how long the endpoint rests, in milliseconds */
export function restAfterUnattempted(tries: number): number {
  return doublingPauseMs(tries, UNATTEMPTED);
}
