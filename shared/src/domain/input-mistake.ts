/** The maximum number of mistakes in one response; a body of 64 KiB could contain thousands. */
export const MAX_MISTAKES = 50;

/** One invalid part of a caller's input. */
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
