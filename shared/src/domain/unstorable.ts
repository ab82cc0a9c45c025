import { type InputMistake, MAX_MISTAKES } from './input-mistake.js';

/** Marks objects of the database's own types for its driver, which refuses other objects that have it. */
export const RESERVED_NAME = '_bsontype';
/** Maximum nesting depth. The database allows about a hundred levels, and a stored document has some of its own. */
const MAX_DEPTH = 32;
const REFERENCE_NAMES: ReadonlySet<string> = new Set(['$ref', '$id', '$db']);
const NUL = '\u0000';

/** Which texts are accepted: only those that would be returned unchanged, or any. */
export type TextRule = 'unchanged' | 'any';

/**
 * Reports the parts of a JSON value that cannot be stored and returned unchanged, with their paths: names that the database
 * refuses, objects that its driver changes, numbers beyond its range, and values that are nested too deep. The search ends at
 * the maximum number of mistakes.
 */
export function unstorableParts(value: unknown, texts: TextRule): readonly InputMistake[] {
  const mistakes: InputMistake[] = [];
  const isFull = () => mistakes.length === MAX_MISTAKES;
  // A large event has 100,000 values, so a place is formatted only for a mistake.
  const visit = (part: unknown, place: Place, depth: number): void => {
    const problem = problemOf(part, texts, depth);
    if (problem !== null) mistakes.push({ path: place(), message: problem });
    if (typeof part !== 'object' || part === null || depth === MAX_DEPTH) return;
    if (Array.isArray(part)) {
      for (let index = 0; index < part.length && !isFull(); index += 1)
        visit(part[index], () => `${place()}[${index}]`, depth + 1);
      return;
    }
    let isReported = problem !== null;
    for (const [name, item] of Object.entries(part)) {
      if (isFull()) return;
      const inside = () => below(place(), name);
      if (isBroken(name)) {
        const message = 'must not have names with NUL characters or lone surrogates';
        if (!isReported) mistakes.push({ path: place(), message });
        isReported = true;
      } else if (name === RESERVED_NAME) mistakes.push({ path: inside(), message: 'is a reserved name' });
      else visit(item, inside, depth + 1);
    }
  };
  visit(value, () => '', 0);
  return mistakes;
}

const below = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

/** Formats the path of a part. */
type Place = () => string;

/** What is wrong with a value, apart from its names and the values in it. */
function problemOf(part: unknown, texts: TextRule, depth: number): string | null {
  if (typeof part === 'string')
    return texts === 'unchanged' && isBroken(part)
      ? 'must not contain NUL characters or lone surrogates'
      : null;
  if (typeof part === 'number') return Number.isFinite(part) ? null : 'is beyond the range of numbers';
  if (typeof part !== 'object' || part === null) return null;
  if (depth === MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
  return isReference(part) ? 'must not have both $ref and $id: the database would return it changed' : null;
}

/** Whether the database's driver takes an object for a document reference, which any other name that begins with $ rules out. */
function isReference(part: object): boolean {
  const { $ref, $id, $db } = part as Readonly<Record<string, unknown>>;
  const isComplete =
    typeof $ref === 'string' && $id != null && ($db === undefined || typeof $db === 'string');
  return isComplete && Object.keys(part).every((name) => !name.startsWith('$') || REFERENCE_NAMES.has(name));
}

function isBroken(text: string): boolean {
  return text.includes(NUL) || !text.isWellFormed();
}
