/** The distinct values, in the order of their first occurrence. */
export function distinct<Value>(values: Iterable<Value>): Value[] {
  return [...new Set(values)];
}
