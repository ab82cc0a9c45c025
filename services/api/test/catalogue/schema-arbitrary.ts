import type { JsonSchema, SchemaObject } from '@postrider/shared/catalogue/json-schema';
import fc from 'fast-check';

const NAMES = ['a', 'b', 'c'] as const;
const PATTERNS = ['^[ab]$', '[bc]', '^x'] as const;

/** Schemas of values, with some of the keywords that people use. */
const { schema } = fc.letrec<{ schema: SchemaObject }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf(),
    objectOf(tie('schema')),
    fc.record(
      { type: fc.constant('array'), items: tie('schema'), maxItems: fc.nat(3) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ anyOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ allOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ oneOf: fc.array(tie('schema'), { minLength: 1, maxLength: 2 }) }),
  ),
}));

function leaf(): fc.Arbitrary<SchemaObject> {
  return fc.oneof(
    fc.record(
      {
        type: fc.constantFrom('integer', 'number'),
        minimum: fc.integer({ min: -3, max: 3 }),
        maximum: fc.nat(5),
      },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('string'), minLength: fc.nat(2), maxLength: fc.nat(3) },
      { requiredKeys: ['type'] },
    ),
    fc.record({ enum: fc.uniqueArray(fc.constantFrom('a', 'b', 1, null), { minLength: 1 }) }),
    fc.constantFrom<SchemaObject>({}, { type: ['string', 'null'] }, { type: 'boolean' }, { const: 'a' }),
  );
}

function objectOf(field: fc.Arbitrary<SchemaObject>): fc.Arbitrary<SchemaObject> {
  return fc.record(
    {
      type: fc.constant('object'),
      properties: fc.dictionary(fc.constantFrom(...NAMES), field, { noNullPrototype: true }),
      patternProperties: fc.dictionary(fc.constantFrom(...PATTERNS), field, { noNullPrototype: true }),
      required: fc.subarray([...NAMES]),
      additionalProperties: fc.oneof(fc.boolean(), field) as fc.Arbitrary<JsonSchema>,
      minProperties: fc.nat(1),
    },
    { requiredKeys: ['type'] },
  );
}

export const anySchema = schema;
export const anyObjectSchema = objectOf(schema);

/** Values that such schemas are likely to accept. */
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<unknown>('a', 'b', '', 'abc', 0, 1, 2.5, -2, null, true),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...NAMES, 'x'), tie('value'), { noNullPrototype: true }),
  ),
}));
export const anyValue = value;
export const anyFields = fc.dictionary(fc.constantFrom(...NAMES, 'x'), value, { noNullPrototype: true });

/** A change of a schema: of itself, or of one part in it; often to something wider. */
export function changed(before: SchemaObject): fc.Arbitrary<SchemaObject> {
  const { minimum } = before;
  const properties = (before.properties ?? {}) as Readonly<Record<string, SchemaObject>>;
  const listed = (keyword: string) => before[keyword] as readonly unknown[] | undefined;
  const inner = Object.entries(properties).map(([name, field]) =>
    changed(field).map((other) => ({ ...before, properties: { ...properties, [name]: other } })),
  );
  const { required: _, ...optional } = before;
  const own: SchemaObject[] = [
    before,
    optional,
    { anyOf: [before, { type: 'null' }] },
    { ...before, allOf: [{}] },
    { ...before, additionalProperties: true },
    { ...before, additionalProperties: false },
    ...(typeof minimum === 'number' ? [{ ...before, minimum: minimum - 1 }] : []),
    ...[listed('enum') ?? []].map((values) => ({ ...before, enum: [...values, 'z'] })),
    ...[listed('required') ?? []].map((names) => ({ ...before, required: [...names, 'd'] })),
  ];
  const added = leaf().map((field) => ({ ...before, properties: { ...properties, d: field } }));
  return fc.oneof(fc.constantFrom(...own), added, ...inner, anySchema);
}

/** Schemas whose parts describe the same value. */
const { whole } = fc.letrec<{ whole: SchemaObject; field: SchemaObject }>((tie) => {
  const properties = fc.dictionary(fc.constantFrom(...NAMES), tie('field'), {
    minKeys: 1,
    maxKeys: 2,
    noNullPrototype: true,
  });
  const part = fc.oneof(
    { weight: 3, arbitrary: fc.record({ properties }) },
    fc.record({
      patternProperties: fc.dictionary(fc.constantFrom(...PATTERNS), tie('field'), {
        minKeys: 1,
        maxKeys: 1,
        noNullPrototype: true,
      }),
    }),
    fc.record({ properties, additionalProperties: tie('field') }),
  );
  const parts = fc.array(part, { minLength: 1, maxLength: 2 });
  return {
    field: fc.oneof(
      { maxDepth: 1 },
      fc.constantFrom<SchemaObject>({}, { type: 'string' }, { type: 'number' }),
      tie('whole'),
    ),
    whole: fc.record({ properties, allOf: parts, anyOf: parts }, { requiredKeys: ['properties'] }),
  };
});

/** Objects with such fields. */
export const fieldsInFields = fc.dictionary(
  fc.constantFrom(...NAMES),
  fc.oneof(
    fc.constantFrom<unknown>('a', 1),
    fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('a', 1), { noNullPrototype: true }),
  ),
  { noNullPrototype: true },
);

/** Two versions of a schema, of which the second one has a new field somewhere. */
export const versionsWithNewField = whole.chain((before) =>
  fc.tuple(fc.constant(before), withNewField(before)),
);

function withNewField(before: SchemaObject): fc.Arbitrary<SchemaObject> {
  const { properties } = before as { readonly properties?: Readonly<Record<string, SchemaObject>> };
  const free = NAMES.filter((name) => properties !== undefined && !Object.hasOwn(properties, name));
  const type = fc.constantFrom('string', 'number');
  const own = free.map((name) =>
    type.map((one) => ({ ...before, properties: { ...properties, [name]: { type: one } } })),
  );
  const inFields = Object.entries(properties ?? {}).map(([name, field]) =>
    withNewField(field).map((changedField) => ({
      ...before,
      properties: { ...properties, [name]: changedField },
    })),
  );
  const inParts = ['allOf', 'anyOf'].flatMap((keyword) =>
    ((before[keyword] ?? []) as readonly SchemaObject[]).map((part, index, parts) =>
      withNewField(part).map((changedPart) => ({ ...before, [keyword]: parts.with(index, changedPart) })),
    ),
  );
  return fc.oneof(fc.constant(before), ...own, ...inFields, ...inParts);
}
