import { isRecord } from '../domain/is-record.js';
import {
  type JsonSchema,
  type Path,
  type SchemaObject,
  schemasByName,
  schemasInList,
  schemasUnder,
  schemaUnder,
} from './json-schema.js';

/** Returns a value without the fields that its schema does not name: the value itself if it has no other ones. */
export type Project = (value: unknown) => unknown;

/**
 * Compiles the projection of a schema without references. Fields are dropped wherever the schema lists `properties` and
 * does not allow additional ones expressly.
 */
export function createProjection(schema: JsonSchema): Project {
  const described = describeBy(schema);
  return (value) => project(described, value);
}

/** What several schemas say together about the parts of a value. */
export interface Described {
  readonly all: readonly Parts[];
  /** Descriptions of fields by their names, as far as they are joined in advance. */
  readonly byName: ReadonlyMap<string, Described>;
}

/** What one schema says about the parts of a value. */
interface Parts {
  readonly listsProperties: boolean;
  readonly named: ReadonlyMap<string, Described>;
  readonly patterns: readonly { readonly pattern: RegExp; readonly described: Described }[];
  /** Of the fields that this schema neither names nor matches; null if it does not allow them expressly. */
  readonly additional: Described | null;
  /** Of the fields that no schema of the value names or matches; null if it does not allow them expressly. */
  readonly unevaluated: Described | null;
  /** Of the first items of a list. */
  readonly first: readonly Described[];
  /** Of the items after the first ones. */
  readonly items: Described | null;
  /** Of the items that no schema of the value describes by their place. */
  readonly unevaluatedItems: Described | null;
}

/**
 * Each schema is compiled once. The descriptions of a field are joined here, but those of the fields in it only when a value is
 * projected: the number of combinations may be exponential.
 */
export function describeBy(schema: JsonSchema): Described {
  const all = inPlace(schema).map(partsOf).filter(saysAnything);
  const names = new Set(all.flatMap(({ named }) => [...named.keys()]));
  return { all, byName: new Map([...names].map((name) => [name, join(describe(all, name))])) };
}

/** Whether fields are dropped that a schema neither names nor matches nor allows expressly. */
export function dropsOthers({ all }: Pick<Described, 'all'>): boolean {
  return all.some(({ listsProperties }) => listsProperties);
}

/** Whether a schema names, matches or expressly allows a field. */
export function describesField({ all }: Described, name: string): boolean {
  return describe(all, name).length > 0;
}

/**
 * What a schema says about the part at a place in it, such as `properties.a`. Where the schema cannot be divided exactly, other
 * fields or items are included.
 */
export function describeAt({ all, byName }: Described, [keyword, place]: Path): Described {
  const [only] = all.length === 1 ? all : [];
  switch (keyword) {
    case 'properties':
      return byName.get(String(place)) ?? join(describe(all, String(place)));
    case 'prefixItems':
      return describeItem(all, Number(place));
    case 'items':
      return only === undefined ? joinAll(all, itemsOf) : join(present([only.items]));
    case 'additionalProperties':
      return only === undefined ? joinAll(all, fieldsOf) : join(present([only.additional]));
    default:
      return joinAll(all, fieldsOf);
  }
}

function joinAll(all: readonly Parts[], of: (parts: Parts) => readonly (Described | null)[]): Described {
  return join(present(all.flatMap(of)));
}

function fieldsOf({ named, patterns, additional, unevaluated }: Parts) {
  return [...named.values(), ...patterns.map(({ described }) => described), additional, unevaluated];
}

function itemsOf({ first, items, unevaluatedItems }: Parts) {
  return [...first, items, unevaluatedItems];
}

function present(some: readonly (Described | null)[]): readonly Described[] {
  return some.filter((described) => described !== null);
}

const NO_NAMES: Described['byName'] = new Map();

function join(some: readonly Described[]): Described {
  const [only] = some;
  return only !== undefined && some.length === 1
    ? only
    : { all: some.flatMap(({ all }) => all), byName: NO_NAMES };
}

/** A schema and every schema in it that describes the same value. */
function inPlace(schema: JsonSchema): readonly SchemaObject[] {
  if (!isRecord(schema)) return [];
  const lists = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => schemasInList(schema, keyword));
  const single = schemasUnder([schema], ['if', 'then', 'else']);
  const dependent = Object.values(schemasByName(schema, 'dependentSchemas'));
  return [schema, ...[...lists, ...single, ...dependent].flatMap(inPlace)];
}

function partsOf(schema: SchemaObject): Parts {
  const allowed = (keyword: string): Described | null => {
    const held = schemaUnder(schema, keyword);
    return held === undefined || held === false ? null : describeBy(held);
  };
  // Long lists of simple values are not iterated.
  const ofItems = (keyword: string): Described | null => {
    const described = allowed(keyword);
    return described?.all.length === 0 ? null : described;
  };
  const named = Object.entries(schemasByName(schema, 'properties'));
  const patterns = Object.entries(schemasByName(schema, 'patternProperties'));
  return {
    listsProperties: schema.properties !== undefined,
    named: new Map(named.map(([name, held]) => [name, describeBy(held)] as const)),
    patterns: patterns.map(([pattern, held]) => ({
      pattern: new RegExp(pattern, 'u'),
      described: describeBy(held),
    })),
    additional: allowed('additionalProperties'),
    unevaluated: allowed('unevaluatedProperties'),
    first: schemasInList(schema, 'prefixItems').map(describeBy),
    items: ofItems('items'),
    unevaluatedItems: ofItems('unevaluatedItems'),
  };
}

function saysAnything(parts: Parts): boolean {
  const { listsProperties, named, patterns, first, ...others } = parts;
  const isByName = listsProperties || named.size > 0 || patterns.length > 0;
  return isByName || first.length > 0 || Object.values(others).some((described) => described !== null);
}

function project(described: Described, value: unknown): unknown {
  if (described.all.length === 0) return value;
  if (Array.isArray(value)) return projectItems(described, value);
  return isRecord(value) ? projectFields(described, value) : value;
}

function projectFields({ all, byName }: Described, value: Readonly<Record<string, unknown>>): unknown {
  const fields = Object.entries(value);
  const kept = fields.flatMap(([name, field]) => {
    const inside = byName.get(name) ?? describeField(all, name);
    return inside === null ? [] : [[name, project(inside, field)] as const];
  });
  const isWhole =
    kept.length === fields.length && kept.every(([, field], index) => field === fields[index]?.[1]);
  // Defines own fields whatever their names are, unlike an assignment.
  return isWhole ? value : Object.fromEntries(kept);
}

/** Everything that describes a field; null if the field is dropped. */
function describeField(all: readonly Parts[], name: string): Described | null {
  const found = describe(all, name);
  return found.length === 0 && dropsOthers({ all }) ? null : join(found);
}

function describe(all: readonly Parts[], name: string): readonly Described[] {
  const found: Described[] = [];
  let isNamed = false;
  for (const parts of all) {
    const own = describeByName(parts, name);
    isNamed ||= own.length > 0;
    if (own.length > 0) found.push(...own);
    else if (parts.additional !== null) found.push(parts.additional);
  }
  return isNamed ? found : [...found, ...all.flatMap(({ unevaluated }) => unevaluated ?? [])];
}

function describeByName({ named, patterns }: Parts, name: string): readonly Described[] {
  const own = named.get(name);
  const matching = patterns.filter(({ pattern }) => pattern.test(name)).map(({ described }) => described);
  return own === undefined ? matching : [own, ...matching];
}

function projectItems({ all }: Described, items: readonly unknown[]): unknown {
  const longest = Math.max(...all.map(({ first }) => first.length));
  const others = describeItem(all, longest);
  const kept = items.map((item, index) => project(index < longest ? describeItem(all, index) : others, item));
  return kept.every((item, index) => item === items[index]) ? items : kept;
}

function describeItem(all: readonly Parts[], index: number): Described {
  const isFirst = all.some(({ first }) => index < first.length);
  const found = all.flatMap(({ first, items, unevaluatedItems }) => [
    first[index] ?? items,
    isFirst ? null : unevaluatedItems,
  ]);
  return join(present(found));
}
