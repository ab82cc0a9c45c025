import { InvalidArgumentError } from 'commander';

/** A parser of an option's value. */
export function wholeNumber(min: number, max = Number.POSITIVE_INFINITY) {
  return (text: string): number => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= min && value <= max) return value;
    const limit = max === Number.POSITIVE_INFINITY ? '' : ` and at most ${max}`;
    throw new InvalidArgumentError(`It must be a whole number of at least ${min}${limit}.`);
  };
}
