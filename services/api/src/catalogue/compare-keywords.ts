import { isDeepStrictEqual } from 'node:util';
import { IN_PLACE, type SchemaObject } from '@postrider/shared/catalogue/json-schema';
import type { PartComparison } from './compare-schemas.js';

/** Compares what a schema says about the value itself. */
export function compareKeywords(before: SchemaObject, after: SchemaObject, parts: PartComparison): void {
  compareTypes(before, after, parts);
  compareValues(before, after, parts);
  compareBounds(before, after, parts);
  compareUnchangeable(before, after, parts);
}

const FREE_BEFORE = 'must not restrict what was unrestricted before';

const ALL_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

function typesOf({ type }: SchemaObject): readonly string[] {
  const types = type === undefined ? ALL_TYPES : ([type].flat() as string[]);
  return types.includes('number') ? [...types, 'integer'] : types;
}

function compareTypes(before: SchemaObject, after: SchemaObject, { path, report }: PartComparison): void {
  const now = typesOf(after);
  const lost = typesOf(before).filter((type) => !now.includes(type) && !isExcluded(type, before));
  if (lost.length > 0) report([...path, 'type'], `must still allow ${[...new Set(lost)].join(', ')}`);
}

/** Whether the values that the old schema lists are all of other types. */
function isExcluded(type: string, before: SchemaObject): boolean {
  const values = allowedValues(before);
  return values !== null && !values.some((value) => typeNames(value).includes(type));
}

function typeNames(value: unknown): readonly string[] {
  if (value === null) return ['null'];
  if (Array.isArray(value)) return ['array'];
  if (typeof value === 'number') return Number.isInteger(value) ? ['number', 'integer'] : ['number'];
  return [typeof value];
}

/** The values that a schema lists; null when it lists none. */
function allowedValues(schema: SchemaObject): readonly unknown[] | null {
  if ('const' in schema) return [schema.const];
  return Array.isArray(schema.enum) ? schema.enum : null;
}

function compareValues(before: SchemaObject, after: SchemaObject, { path, report }: PartComparison): void {
  const now = allowedValues(after);
  if (now === null) return;
  const place = [...path, 'const' in after ? 'const' : 'enum'];
  const old = allowedValues(before);
  if (old === null) report(place, FREE_BEFORE);
  const lost = (old ?? []).filter((value) => !now.some((other) => isDeepStrictEqual(value, other)));
  if (lost.length > 0)
    report(place, `must still allow ${lost.map((value) => JSON.stringify(value)).join(', ')}`);
}

const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];
const SIGNED = ['minimum', 'exclusiveMinimum'];
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];

function compareBounds(before: SchemaObject, after: SchemaObject, { path, report }: PartComparison): void {
  const narrower = (keyword: string, isNarrower: (old: number, now: number) => boolean): void => {
    const [old, now] = [before[keyword], after[keyword]];
    if (typeof now !== 'number') return;
    if (typeof old !== 'number') report([...path, keyword], FREE_BEFORE);
    else if (isNarrower(old, now)) report([...path, keyword], `must not be narrower than ${old}`);
  };
  // Lengths and counts are never below 0.
  for (const keyword of LOWER)
    if (after[keyword] !== 0 || SIGNED.includes(keyword)) narrower(keyword, (old, now) => now > old);
  for (const keyword of UPPER) narrower(keyword, (old, now) => now < old);
  // Without a number, one match is required.
  if (after.contains !== undefined && after.minContains === undefined && before.minContains === 0)
    report([...path, 'minContains'], 'must not be narrower than 0');
  narrower('multipleOf', (old, now) => !Number.isInteger(old / now));
  if (after.uniqueItems === true && before.uniqueItems !== true)
    report([...path, 'uniqueItems'], FREE_BEFORE);
}

/** Keywords that can be removed but not changed: another value may accept less. */
const UNCHANGEABLE = [
  'pattern',
  'format',
  'propertyNames',
  'contains',
  'not',
  'oneOf',
  'dependentSchemas',
] as const;
/** Keywords that depend on each other or on the keywords beside them. */
const TOGETHER = [
  { keyword: 'if', others: ['then', 'else'] },
  {
    keyword: 'unevaluatedProperties',
    others: [...IN_PLACE, 'patternProperties'],
  },
  {
    keyword: 'unevaluatedItems',
    others: [...IN_PLACE, 'prefixItems', 'items', 'contains'],
  },
] as const;

function compareUnchangeable(
  before: SchemaObject,
  after: SchemaObject,
  { path, report }: PartComparison,
): void {
  for (const keyword of UNCHANGEABLE)
    if (after[keyword] !== undefined && !isDeepStrictEqual(before[keyword], after[keyword]))
      report([...path, keyword], 'must stay as it is, or be left out');
  for (const { keyword, others } of TOGETHER) {
    if (after[keyword] === undefined) continue;
    const isSame = [keyword, ...others].every((name) => isDeepStrictEqual(before[name], after[name]));
    if (!isSame) report([...path, keyword], `must stay as it is, with ${others.join(', ')}`);
  }
}
