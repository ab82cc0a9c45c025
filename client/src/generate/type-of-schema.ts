/** The parts of JSON Schema that determine types. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly prefixItems?: readonly (JsonSchema | boolean)[];
  readonly anyOf?: readonly (JsonSchema | boolean)[];
  readonly oneOf?: readonly (JsonSchema | boolean)[];
  readonly allOf?: readonly (JsonSchema | boolean)[];
  readonly description?: string;
}

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
  if (schema === undefined || schema === true) return 'unknown';
  if (schema === false) return 'never';
  if ('const' in schema) return literal(schema.const);
  if (schema.enum !== undefined) return union(schema.enum.map(literal));
  const parts = [
    ...(isTyped(schema) ? [ownType(schema, indent)] : []),
    ...[schema.anyOf, schema.oneOf].flatMap((some) =>
      some === undefined ? [] : [union(some.map((one) => typeOfSchema(one, indent)))],
    ),
    ...(schema.allOf ?? []).map((one) => typeOfSchema(one, indent)),
  ];
  const known = parts.filter((part) => part !== 'unknown');
  return known.length === 0 ? 'unknown' : known.map((part) => grouped(part, known.length)).join(' & ');
}

function isTyped(schema: JsonSchema): boolean {
  return schema.type !== undefined || schema.properties !== undefined || schema.items !== undefined;
}

function ownType(schema: JsonSchema, indent: string): string {
  const { type = schema.items === undefined ? 'object' : 'array' } = schema;
  const types = typeof type === 'string' ? [type] : type;
  return union(
    types.map((one) => {
      if (one === 'object') return objectType(schema, indent);
      return one === 'array' ? arrayType(schema, indent) : (NAMED[one] ?? 'unknown');
    }),
  );
}

function objectType({ properties, required = [], additionalProperties }: JsonSchema, indent: string): string {
  const inner = `${indent}  `;
  const fields = Object.entries(properties ?? {}).flatMap(([name, schema]) => [
    ...comment(schema, inner),
    `${inner}readonly ${key(name)}${required.includes(name) ? '' : '?'}: ${typeOfSchema(schema, inner)};`,
  ]);
  if (fields.length > 0) return ['{', ...fields, `${indent}}`].join('\n');
  const value =
    typeof additionalProperties === 'object' ? typeOfSchema(additionalProperties, indent) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

function arrayType({ items, prefixItems }: JsonSchema, indent: string): string {
  const rest = `${grouped(typeOfSchema(items, indent), 2)}[]`;
  if (prefixItems === undefined) return `readonly ${rest}`;
  // Without minItems a tuple may be shorter.
  const first = prefixItems.map((one) => `${grouped(typeOfSchema(one, indent), 2)}?`);
  return `readonly [${[...first, `...${rest}`].join(', ')}]`;
}

function literal(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' && value !== null ? 'unknown' : JSON.stringify(value);
}

function quoted(text: string): string {
  const json = JSON.stringify(text);
  return /['"\\]/.test(json.slice(1, -1)) ? json : `'${text}'`;
}

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  if (distinct.length === 0) return 'never';
  if (distinct.includes('unknown')) return 'unknown';
  return distinct.map((type) => (type.includes(' & ') ? `(${type})` : type)).join(' | ');
}

function grouped(type: string, parts: number): string {
  return parts > 1 && /[|&]| => |^readonly /.test(type) && !type.startsWith('{') ? `(${type})` : type;
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
