/** A choice that the browser remembers. */
export interface StoredChoice<Value> {
  read(): Value;
  store(value: Value): void;
}

/** @param usual what counts while nothing else is stored, and where storage is forbidden, as in an embedded page */
export function storedChoice<Value extends string>(
  key: string,
  values: readonly Value[],
  usual: Value,
): StoredChoice<Value> {
  return {
    read() {
      try {
        return values.find((value) => value === localStorage.getItem(key)) ?? usual;
      } catch {
        return usual;
      }
    },
    store(value) {
      try {
        localStorage.setItem(key, value);
      } catch {
        // It counts until the page is loaded again.
      }
    },
  };
}
