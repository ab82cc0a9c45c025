interface SliceLimits<Value> {
  readonly bytes: number;
  readonly count?: number;
  readonly sizeOf: (value: Value) => number;
}

/** Divides values into slices, in their order. A slice ends with the value that reaches a limit. */
export function* slicesOf<Value>(
  values: readonly Value[],
  { bytes, count = Number.POSITIVE_INFINITY, sizeOf }: SliceLimits<Value>,
): Generator<readonly Value[]> {
  let slice: Value[] = [];
  let size = 0;
  for (const value of values) {
    slice.push(value);
    size += sizeOf(value);
    if (slice.length < count && size < bytes) continue;
    yield slice;
    slice = [];
    size = 0;
  }
  if (slice.length > 0) yield slice;
}
