/** One invalid part of what a caller sent. */
export interface InputMistake {
  /** Like `filter.amount[0].gte`. */
  readonly path: string;
  readonly message: string;
}

const PLAIN_NAME = /^[A-Za-z_$][\w$-]*$/;

/** The path of a field whose name the caller chose. */
export function fieldPath(above: string, name: string): string {
  return PLAIN_NAME.test(name) ? `${above}.${name}` : `${above}[${JSON.stringify(name)}]`;
}

/** Whether a JSON value is an object, and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
