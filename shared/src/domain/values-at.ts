/** The result of following a dotted path in a payload. */
export interface Found {
  /** Whether the path exists, even with an empty list. */
  readonly exists: boolean;
  /** The values there, or the elements if there is a list. */
  readonly values: readonly unknown[];
  /** How many values were visited on the way and at the end. */
  readonly visited: number;
}

/** Maximum number of list elements that are visited for one path: more could cost more than delivering the event. */
const MAX_ELEMENTS = 1_000;

/** Follows a path through the fields of objects, and through every element of lists on the way and at its end. */
export function valuesAt(payload: unknown, names: readonly string[]): Found {
  const values: unknown[] = [];
  let exists = false;
  let elements = 0;
  let visited = 0;
  const follow = (value: unknown, depth: number): void => {
    visited += 1;
    if (Array.isArray(value)) {
      if (depth === names.length) exists = true;
      for (const element of value) {
        elements += 1;
        if (elements > MAX_ELEMENTS) return;
        follow(element, depth);
      }
      return;
    }
    const name = names[depth];
    if (name === undefined) {
      exists = true;
      values.push(value);
    } else if (typeof value === 'object' && value !== null && Object.hasOwn(value, name)) {
      follow((value as Readonly<Record<string, unknown>>)[name], depth + 1);
    }
  };
  follow(payload, 0);
  return { exists, values, visited };
}
