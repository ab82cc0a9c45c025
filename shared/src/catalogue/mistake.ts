import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Path } from './json-schema.js';

/** One invalid part of a value. */
export interface Mistake {
  /** Like `lines[0].amount`; empty for the value itself. */
  readonly path: string;
  readonly message: string;
}

/** Keywords that only repeat what other errors say. */
const REPEATING: ReadonlySet<string> = new Set(['if', 'unevaluatedProperties', 'unevaluatedItems']);
const MAX_VALUES_LENGTH = 300;

/** Where the value with errors is, and how many of its mistakes are wanted. */
interface Wanted {
  readonly above?: Path;
  readonly max?: number;
}

/** Converts the validator's errors, one for each path. */
export function mistakesOf(
  errors: readonly ErrorObject[],
  { above = [], max = Number.POSITIVE_INFINITY }: Wanted = {},
): readonly Mistake[] {
  const byPath = new Map<string, Mistake>();
  for (const error of errors) {
    if (byPath.size === max) break;
    if (REPEATING.has(error.keyword) && errors.length > 1) continue;
    const mistake = mistakeOf(error, above);
    if (!byPath.has(mistake.path)) byPath.set(mistake.path, mistake);
  }
  return [...byPath.values()];
}

function mistakeOf({ keyword, instancePath, params, message }: ErrorObject, above: Path): Mistake {
  const path = [...above, ...pointerPath(instancePath)];
  switch (keyword) {
    case 'required':
    case 'dependentRequired':
      return { path: formatPath([...path, params.missingProperty]), message: 'is required' };
    case 'additionalProperties':
      return { path: formatPath([...path, params.additionalProperty]), message: 'is not a known field' };
    case 'unevaluatedProperties':
      return { path: formatPath([...path, params.unevaluatedProperty]), message: 'is not a known field' };
    case 'enum':
      return { path: formatPath(path), message: `must be one of ${shortList(params.allowedValues)}` };
    case 'const':
      return { path: formatPath(path), message: `must be ${shortList([params.allowedValue])}` };
    default:
      return { path: formatPath(path), message: message ?? 'is not valid' };
  }
}

function shortList(values: readonly unknown[]): string {
  const text = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(', ');
  return text.length <= MAX_VALUES_LENGTH ? text : `${text.slice(0, MAX_VALUES_LENGTH)}…`;
}

function pointerPath(pointer: string): Path {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));
}

/** Formats a place as `eventTypes[0].schema`. */
export function formatPath(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${part}`))
    .join('');
}
