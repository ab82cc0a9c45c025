import { Refusal } from '../domain/refusal.js';

/**
 * Reads a filter that takes one value or several, separated by commas.
 *
 * @throws Refusal `InvalidRequest` with every unknown value
 */
export function readSeveral<Value extends string>(
  path: string,
  text: string,
  known: readonly Value[],
): readonly Value[] {
  const values = text.split(',').map((value) => value.trim());
  const isKnown = (value: string): value is Value => (known as readonly string[]).includes(value);
  if (values.every(isKnown)) return [...new Set(values)];
  const message = `must be one or more of ${known.join(', ')}, separated by commas`;
  throw Refusal.invalid({ path, message });
}
