/** The parts of JSON Schema that determine types. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly unevaluatedProperties?: JsonSchema | boolean;
  readonly patternProperties?: object;
  readonly dependentSchemas?: object;
  readonly then?: JsonSchema | boolean;
  readonly else?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly (JsonSchema | boolean)[];
  readonly anyOf?: readonly (JsonSchema | boolean)[];
  readonly oneOf?: readonly (JsonSchema | boolean)[];
  readonly allOf?: readonly (JsonSchema | boolean)[];
  readonly description?: string;
}

/** How strongly the outermost part of a type binds: a weaker one needs parentheses inside a stronger one. */
const LEVEL = { union: 0, intersection: 1, operator: 2, atom: 3 } as const;
type Level = keyof typeof LEVEL;

/** A type as text. Its level cannot be read from the text: an object contains the types of its fields. */
interface TypeText {
  readonly text: string;
  readonly level: Level;
}

const atom = (text: string): TypeText => ({ text, level: 'atom' });

const UNKNOWN = atom('unknown');
const RECORD = atom('Readonly<Record<string, unknown>>');

const NAMED: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/**
 * The TypeScript type of the values that a schema accepts. Constraints that types cannot express, such as bounds and
 * patterns, are omitted.
 *
 * @param indent of the line that the type begins on
 */
export function typeOfSchema(schema: JsonSchema | boolean | undefined, indent = ''): string {
  return typeTextOf(schema, indent).text;
}

function typeTextOf(schema: JsonSchema | boolean | undefined, indent: string): TypeText {
  if (schema === undefined || schema === true) return UNKNOWN;
  if (schema === false) return atom('never');
  if ('const' in schema) return atom(literal(schema.const));
  if (schema.enum !== undefined) return union(schema.enum.map((value) => atom(literal(value))));
  return intersection([
    ...(isTyped(schema) ? [ownType(schema, indent)] : []),
    ...[schema.anyOf, schema.oneOf].flatMap((some) =>
      some === undefined ? [] : [union(some.map((one) => typeTextOf(one, indent)))],
    ),
    ...(schema.allOf ?? []).map((one) => typeTextOf(one, indent)),
  ]);
}

function isTyped(schema: JsonSchema): boolean {
  return schema.type !== undefined || schema.properties !== undefined || schema.items !== undefined;
}

function ownType(schema: JsonSchema, indent: string): TypeText {
  const { type = schema.items === undefined ? 'object' : 'array' } = schema;
  const types = typeof type === 'string' ? [type] : type;
  return union(
    types.map((one) => {
      if (one === 'object') return objectType(schema, indent);
      return one === 'array' ? arrayType(schema, indent) : atom(NAMED[one] ?? 'unknown');
    }),
  );
}

function objectType(schema: JsonSchema, indent: string): TypeText {
  const { properties, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const fields = Object.entries(properties ?? {}).flatMap(([name, field]) => [
    ...comment(field, inner),
    `${inner}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOfSchema(field, inner)};`,
  ]);
  if (fields.length === 0) {
    return typeof additionalProperties === 'object' && !describesFieldsElsewhere(schema)
      ? atom(`Readonly<Record<string, ${typeOfSchema(additionalProperties, indent)}>>`)
      : RECORD;
  }
  const known = atom(['{', ...fields, `${indent}}`].join('\n'));
  // Events keep other fields only if the schema allows or describes them. They are unknown, because a narrower type would apply
  // to the known fields, too.
  const isOpen = (additionalProperties ?? false) !== false || describesFieldsElsewhere(schema);
  return isOpen ? intersection([known, RECORD]) : known;
}

/** Whether keywords that have no counterpart in a type describe fields. */
function describesFieldsElsewhere(schema: JsonSchema): boolean {
  const { unevaluatedProperties = false, patternProperties, dependentSchemas } = schema;
  const others = [patternProperties, dependentSchemas, schema.then, schema.else];
  return unevaluatedProperties !== false || others.some((keyword) => keyword !== undefined);
}

function arrayType({ items, prefixItems }: JsonSchema, indent: string): TypeText {
  const rest = `${within('atom', typeTextOf(items, indent))}[]`;
  if (prefixItems === undefined) return { text: `readonly ${rest}`, level: 'operator' };
  // Without minItems a tuple may be shorter.
  const first = prefixItems.map((one) => `${within('atom', typeTextOf(one, indent))}?`);
  return { text: `readonly [${[...first, `...${rest}`].join(', ')}]`, level: 'operator' };
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

function quoted(text: string): string {
  const json = JSON.stringify(text);
  return /['"\\]/.test(json.slice(1, -1)) ? json : `'${text}'`;
}

function union(types: readonly TypeText[]): TypeText {
  if (types.length === 0) return atom('never');
  if (types.some(isUnknown)) return UNKNOWN;
  return combined('union', ' | ', types);
}

function intersection(types: readonly TypeText[]): TypeText {
  const known = types.filter((type) => !isUnknown(type));
  return known.length === 0 ? UNKNOWN : combined('intersection', ' & ', known);
}

/** @param types at least one */
function combined(level: Level, operator: string, types: readonly TypeText[]): TypeText {
  const distinct = [...new Map(types.map((type) => [type.text, type])).values()];
  const [first, ...others] = distinct;
  if (first !== undefined && others.length === 0) return first;
  return { text: distinct.map((type) => within(level, type)).join(operator), level };
}

const isUnknown = ({ text }: TypeText): boolean => text === UNKNOWN.text;

/** The text of a type as a part of one of this level. */
function within(level: Level, { text, level: own }: TypeText): string {
  return LEVEL[own] < LEVEL[level] ? `(${text})` : text;
}

/** A description as a comment on a separate line. */
export function comment(schema: JsonSchema | boolean, indent: string): readonly string[] {
  if (typeof schema === 'boolean' || schema.description === undefined) return [];
  const text = schema.description.replaceAll('*/', '*\\/').replace(/\s+/g, ' ').trim();
  return [`${indent}/** ${text} */`];
}

/** A name as a key of an interface. */
export function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}
