import { MAX_FILTER_BYTES, MAX_FILTER_PATHS } from './event-filter.js';
import { fieldPath, type InputMistake } from './input-mistake.js';
import { isRecord } from './is-record.js';

/** Every mistake in a value that is meant as an `EventFilter`. A value without mistakes is one. */
export function filterMistakes(value: unknown, path: string): readonly InputMistake[] {
  if (!isRecord(value)) return [{ path, message: 'must be an object of paths and lists' }];
  const paths = Object.entries(value);
  if (paths.length > MAX_FILTER_PATHS)
    return [{ path, message: `must have at most ${MAX_FILTER_PATHS} paths` }];
  const mistakes = paths.flatMap(([name, list]) => pathMistakes(name, list, fieldPath(path, name)));
  const isTooLong = mistakes.length === 0 && bytesOf(JSON.stringify(value)) > MAX_FILTER_BYTES;
  return isTooLong ? [{ path, message: `must be at most ${MAX_FILTER_BYTES} bytes of JSON` }] : mistakes;
}

/** In UTF-8. The console checks filters, too, and browsers have no Buffer. */
function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

function pathMistakes(name: string, list: unknown, path: string): InputMistake[] {
  const mistakes: InputMistake[] = name.split('.').includes('')
    ? [{ path, message: 'must be names joined by dots' }]
    : [];
  if (!Array.isArray(list))
    return [...mistakes, { path, message: 'must be a list of values and conditions' }];
  if (list.length === 0) return [...mistakes, { path, message: 'must not be an empty list' }];
  return [...mistakes, ...list.flatMap((item: unknown, index) => itemMistakes(item, `${path}[${index}]`))];
}

function itemMistakes(item: unknown, path: string): readonly InputMistake[] {
  if (!isRecord(item)) return valueMistakes(item, path);
  const conditions = Object.entries(item);
  if (conditions.length === 0) return [{ path, message: 'must have at least one condition' }];
  return conditions.flatMap(([name, operand]) => {
    const check = CONDITIONS.get(name);
    const at = fieldPath(path, name);
    const message = `is no condition; there are ${[...CONDITIONS.keys()].join(', ')}`;
    return check === undefined ? [{ path: at, message }] : check(operand, at);
  });
}

type OperandCheck = (operand: unknown, path: string) => readonly InputMistake[];

function valueMistakes(value: unknown, path: string): readonly InputMistake[] {
  if (typeof value === 'number' && !Number.isFinite(value))
    return [{ path, message: 'must be a number within the range of a double' }];
  const isValue = value === null || ['string', 'number', 'boolean'].includes(typeof value);
  return isValue ? [] : [{ path, message: 'must be a string, number, boolean or null' }];
}

const valueOrListMistakes: OperandCheck = (operand, path) => {
  if (!Array.isArray(operand)) return valueMistakes(operand, path);
  if (operand.length === 0) return [{ path, message: 'must not be an empty list' }];
  return operand.flatMap((value: unknown, index) => valueMistakes(value, `${path}[${index}]`));
};

const textMistakes: OperandCheck = (operand, path) =>
  typeof operand === 'string' ? [] : [{ path, message: 'must be a string' }];

const boundMistakes: OperandCheck = (operand, path) => {
  if (typeof operand === 'number') return valueMistakes(operand, path);
  return typeof operand === 'string' ? [] : [{ path, message: 'must be a number or a string' }];
};

const existsMistakes: OperandCheck = (operand, path) =>
  typeof operand === 'boolean' ? [] : [{ path, message: 'must be true or false' }];

const CONDITIONS: ReadonlyMap<string, OperandCheck> = new Map([
  ['equals', valueMistakes],
  ['anything_but', valueOrListMistakes],
  ['prefix', textMistakes],
  ['suffix', textMistakes],
  ['gt', boundMistakes],
  ['gte', boundMistakes],
  ['lt', boundMistakes],
  ['lte', boundMistakes],
  ['exists', existsMistakes],
]);
