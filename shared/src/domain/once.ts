/** Computes a value when it is first needed. */
export function once<Value extends object | string>(compute: () => Value): () => Value {
  let value: Value | null = null;
  return () => {
    value ??= compute();
    return value;
  };
}
