import { parseDuration } from '@postrider/shared/runtime/config';
import { InvalidArgumentError } from 'commander';

/** A span of time such as `24h`, in milliseconds. */
export function duration(text: string): number {
  try {
    return parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** Larger numbers are mistakes, and from 2^63 on the database refuses them. */
const MAX_COUNT = 1_000_000_000;

/** A whole number other than 0. */
export function atLeast(minimum: number) {
  return (text: string): number => {
    const count = Number(text);
    if (Number.isInteger(count) && count >= minimum && count !== 0 && count <= MAX_COUNT) return count;
    throw new InvalidArgumentError(`must be a whole number from ${Math.max(1, minimum)} to ${MAX_COUNT}.`);
  };
}
