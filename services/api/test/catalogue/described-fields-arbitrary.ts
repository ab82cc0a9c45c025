import type { SchemaObject } from '@postrider/shared/catalogue/json-schema';
import { isRecord } from '@postrider/shared/domain/is-record';
import fc from 'fast-check';

type Schemas = Readonly<Record<string, SchemaObject>>;

const NAMES = ['a', 'b', 'c'] as const;
const PATTERNS = ['^[ab]', '[bc]$'] as const;

const { schema } = fc.letrec<{ schema: SchemaObject }>((tie) => {
  const object = objectOf(tie('schema'));
  const objects = fc.array(object, { minLength: 2, maxLength: 2 });
  return {
    schema: fc.oneof(
      { maxDepth: 2 },
      fc.constant({}),
      object,
      fc.record({ oneOf: objects }),
      fc.record({ oneOf: objects, anyOf: objects }),
      fc.record({ anyOf: objects }),
      fc.record({ allOf: objects }),
      fc.record({ type: fc.constant('array'), prefixItems: fc.tuple(object), items: object }),
      fc.record({
        allOf: fc.tuple(fc.record({ prefixItems: fc.tuple(object) }), fc.record({ items: object })),
      }),
    ),
  };
});

function objectOf(field: fc.Arbitrary<SchemaObject>): fc.Arbitrary<SchemaObject> {
  const open = {
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom(...NAMES), field, { maxKeys: 2, noNullPrototype: true }),
  };
  const patternProperties = fc.dictionary(fc.constantFrom(...PATTERNS), field, { noNullPrototype: true });
  const additionalProperties = fc.constant(false);
  return fc
    .oneof(
      fc.record(open),
      fc.record({ ...open, additionalProperties }),
      fc.record({ ...open, patternProperties }),
    )
    .chain((object) =>
      fc.subarray(Object.keys(object.properties)).map((required) => ({ ...object, required })),
    );
}

/** A schema, and fields that it describes and is likely to accept, by one of its alternatives or by several. */
export const describedFields = objectOf(schema).chain((object) =>
  fc.record({
    schema: fc.constant(object),
    fields: describedValue(object) as fc.Arbitrary<Record<string, unknown>>,
  }),
);

function describedValue(described: SchemaObject): fc.Arbitrary<unknown> {
  const { properties = {}, patternProperties = {}, prefixItems = [], items, ...others } = described;
  const matching = Object.entries(patternProperties as Schemas).flatMap(([pattern, held]) =>
    NAMES.filter((name) => new RegExp(pattern).test(name)).map((name) => [name, held] as const),
  );
  const fields = [...Object.entries(properties as Schemas), ...matching].map(([name, held]) =>
    describedValue(held).map((value): unknown => ({ [name]: value })),
  );
  const first = prefixItems as readonly SchemaObject[];
  const all = items === undefined ? first : [...first, items as SchemaObject, items as SchemaObject];
  const lists = all.length === 0 ? [] : [fc.tuple(...all.map(describedValue))];
  const alternatives = ['allOf', 'anyOf', 'oneOf']
    .flatMap((keyword) => (others[keyword] ?? []) as readonly SchemaObject[])
    .map(describedValue);
  return fc
    .tuple(...fields, ...lists, ...alternatives)
    .chain((parts) => fc.oneof(fc.constant(parts), fc.subarray(parts)))
    .map((parts) => parts.reduce(joined, described.type === 'object' ? {} : 'text'));
}

/** Objects with the fields of both, lists with the items of both; of other values the last one. */
function joined(one: unknown, other: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other)) return other.map((item, index) => joined(one[index], item));
  if (!isRecord(one) || !isRecord(other)) return other;
  const inBoth = Object.keys(one).filter((name) => Object.hasOwn(other, name));
  const both = Object.fromEntries(inBoth.map((name) => [name, joined(one[name], other[name])]));
  return { ...one, ...other, ...both };
}
