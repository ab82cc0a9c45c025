/** Upper bound of a rest, as a fraction of the POST before it. */
const MAX_PART_OF_POST = 1 / 2;
/** The fractional parts of its multiples are spread evenly over 0 to 1, however many there are. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * How long an endpoint rests after a POST that timed out. Endpoints that fall silent together time out together, and without
 * rests of different lengths their next POSTs would do so again and again.
 *
 * @returns the length of the next rest after a POST of `durationMs`, in milliseconds
 */
export function createRests(): (durationMs: number) => number {
  let part = 0;
  return (durationMs) => {
    part = (part + GOLDEN_RATIO) % 1;
    return durationMs * MAX_PART_OF_POST * part;
  };
}
