import { isDeepStrictEqual } from 'node:util';
import {
  IN_PLACE,
  type JsonSchema,
  type Path,
  type SchemaObject,
  schemasInList,
  schemaUnder,
} from '@postrider/shared/catalogue/json-schema';
import { formatPath, type Mistake } from '@postrider/shared/catalogue/mistake';
import { type Described, describeAt, describeBy, dropsOthers } from '@postrider/shared/catalogue/project';
import { isRecord } from '@postrider/shared/domain/is-record';
import { compareFields } from './compare-fields.js';
import { compareKeywords } from './compare-keywords.js';

/** Compares the schemas of one part of a value: reports where the new one accepts less. */
export type CompareParts = (before: JsonSchema, after: JsonSchema, path: Path) => void;

/** A comparison in progress. */
export interface Comparison {
  readonly report: (path: Path, message: string) => void;
  readonly compare: CompareParts;
}

/** Maximum number of pairs of schemas to compare: nested alternatives could make any number. */
const MAX_PAIRS = 50_000;

/**
 * Finds every place where the new schema could refuse or drop something that the old one accepts and keeps: every
 * place that is not provably as wide. Neither schema has references.
 */
export function narrowings(before: SchemaObject, after: SchemaObject): readonly Mistake[] {
  const budget = { pairs: MAX_PAIRS };
  const found = compareAll(before, after, { path: ['schema'], kept: describeBy(before), budget });
  const unique = new Map(found.map((mistake) => [mistake.path, mistake]));
  if (budget.pairs > 0) return [...unique.values()];
  return [{ path: 'schema', message: 'has too many alternatives to be compared with the stored schema' }];
}

interface Where {
  readonly path: Path;
  /** What all old schemas say about this part of a value. The compared one may be one of several. */
  readonly kept: Described;
  readonly budget: { pairs: number };
}

function compareAll(before: JsonSchema, after: JsonSchema, where: Where): readonly Mistake[] {
  const { path, kept, budget } = where;
  budget.pairs -= 1;
  if (accepts(after)) return namesFields(before, kept) ? droppedAll(path) : [];
  if (budget.pairs <= 0 || before === false || isDeepStrictEqual(before, after)) return [];
  const mistakes: Mistake[] = [];
  const comparison: Comparison = {
    report: (place, message) => void mistakes.push({ path: formatPath(place), message }),
    compare: (old, now, place) => {
      const inside = describeAt(kept, place.slice(path.length));
      mistakes.push(...compareAll(old, now, { path: place, kept: inside, budget }));
    },
  };
  if (after === false) return [{ path: formatPath(path), message: 'no longer accepts anything' }];
  const [old, now] = [asObject(before), asObject(after)];
  compareKeywords(old, now, { ...comparison, path });
  compareFields(old, now, { ...comparison, path, kept });
  compareItems(old, now, { ...comparison, path });
  compareAlternatives(old, now, {
    ...comparison,
    path,
    isWider: (one, other) => compareAll(one, other, where).length === 0,
  });
  return mistakes;
}

/** A schema that accepts everything. */
function accepts(schema: JsonSchema): boolean {
  return schema === true || (isRecord(schema) && Object.keys(schema).length === 0);
}

/** Keywords by which a schema keeps fields of a value, which would be dropped if another schema lists `properties`. */
const KEEPING = ['patternProperties', 'additionalProperties', 'unevaluatedProperties', ...IN_PLACE] as const;

/** Whether fields of a value are kept because of a schema. */
function namesFields(schema: JsonSchema, kept: Described): boolean {
  if (!isRecord(schema)) return false;
  if ('properties' in schema) return true;
  const keeping = KEEPING.filter((keyword) => keyword in schema).map((keyword) => ({
    [keyword]: schema[keyword],
  }));
  return dropsOthers(kept) && keepsSome(keeping);
}

function droppedAll(path: Path): readonly Mistake[] {
  return [{ path: formatPath([...path, 'properties']), message: FIELDS_STAY }];
}

function asObject(schema: JsonSchema): SchemaObject {
  return isRecord(schema) ? schema : {};
}

export interface PartComparison extends Comparison {
  readonly path: Path;
}

function compareItems(before: SchemaObject, after: SchemaObject, { path, compare }: PartComparison): void {
  const first = [schemasInList(before, 'prefixItems'), schemasInList(after, 'prefixItems')] as const;
  const rest = [schemaUnder(before, 'items') ?? true, schemaUnder(after, 'items') ?? true] as const;
  const longest = Math.max(first[0].length, first[1].length);
  for (let index = 0; index < longest; index += 1) {
    const place = [...path, 'prefixItems', index];
    compare(first[0][index] ?? rest[0], first[1][index] ?? rest[1], place);
  }
  compare(rest[0], rest[1], [...path, 'items']);
}

interface AlternativesComparison extends PartComparison {
  readonly isWider: (before: JsonSchema, after: JsonSchema) => boolean;
}

function compareAlternatives(before: SchemaObject, after: SchemaObject, parts: AlternativesComparison): void {
  const { path, report, isWider } = parts;
  const oldAll = schemasInList(before, 'allOf');
  const oldAlone = withoutAllOf(before);
  const nowAll = schemasInList(after, 'allOf');
  for (const [index, now] of nowAll.entries()) {
    if (![oldAlone, ...oldAll].some((old) => isWider(old, now)))
      report([...path, 'allOf', index], 'may refuse what was valid before');
  }
  const anyOf = schemasInList(after, 'anyOf');
  if (anyOf.length > 0) {
    const { anyOf: __, ...own } = before;
    const olds = 'anyOf' in before ? schemasInList(before, 'anyOf') : [own];
    for (const [index, old] of olds.entries())
      if (!anyOf.some((now) => isWider(old, now)))
        report([...path, 'anyOf', index], 'was valid before and must stay so');
  }
  for (const [index, old] of oldAll.entries())
    if (after.allOf !== undefined && keepsSome(old) && !nowAll.some((now) => isWider(old, now)))
      report([...path, 'allOf', index], FIELDS_STAY);
  // The fields that their schemas name are kept, whether or not they apply.
  for (const keyword of IN_PLACE)
    if (before[keyword] !== undefined && after[keyword] === undefined && keepsSome(before[keyword]))
      report([...path, keyword], FIELDS_STAY);
}

/** Something that is true of each value that the schema accepts: what it says apart from `allOf`, and from what that changes. */
function withoutAllOf(schema: SchemaObject): SchemaObject {
  if (schema.allOf === undefined) return schema;
  const { allOf: _, unevaluatedProperties: __, unevaluatedItems: ___, ...others } = schema;
  return others;
}

const FIELDS_STAY = 'must stay: fields cannot be removed';

/** Whether fields are kept because of a part of a schema. */
function keepsSome(part: unknown): boolean {
  return /"(?:properties|patternProperties|additionalProperties|unevaluatedProperties)"/.test(
    JSON.stringify(part),
  );
}
