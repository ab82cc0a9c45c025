import { readFileSync } from 'node:fs';
import type { StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import { FORMATS } from '@postrider/shared/catalogue/validator';
import { expect } from 'chai';
import { formatCatalogue } from '../../src/catalogue/format-catalogue.js';
import { parseCatalogue } from '../../src/catalogue/parse-catalogue.js';
import { type Extent, planChanges } from '../../src/catalogue/plan-changes.js';

const EXAMPLE = readFileSync(new URL('../../../../../docs/event-types.yaml', import.meta.url), 'utf8');

const aType = (overrides: object = {}) => ({
  name: 'invoice.paid',
  description: 'An invoice was paid.',
  schema: { type: 'object', properties: { amount: { type: 'integer' } } },
  examples: [{ amount: 1 }],
  ...overrides,
});
const withSchema = (schema: object) => aType({ schema: { type: 'object', ...schema }, examples: [{}] });
const withField = (schema: unknown) => withSchema({ properties: { field: schema } });

/** All mistakes of a file, as lines. */
function mistakesOf(value: unknown, stored: readonly StoredEventType[] = [], extent: Extent = 'whole') {
  const parsed = parseCatalogue(typeof value === 'string' ? value : JSON.stringify(value));
  const plan = planChanges(parsed, new Map(stored.map((type) => [type.name, type])), extent);
  return 'mistakes' in plan ? plan.mistakes.map(({ path, message }) => `${path}: ${message}`) : [];
}
const paths = (type: object) => mistakesOf({ eventTypes: [type] }).map((line) => line.split(': ')[0]);

const exponential = () => {
  const levels = Array.from({ length: 30 }, (_, level) => [
    `l${level}`,
    { allOf: [{ $ref: `#/$defs/l${level + 1}` }, { $ref: `#/$defs/l${level + 1}` }] },
  ]);
  return { properties: { field: { $ref: '#/$defs/l0' } }, $defs: { ...Object.fromEntries(levels), l30: {} } };
};
const nested = (levels: number): object =>
  levels === 0 ? {} : { type: 'object', properties: { a: nested(levels - 1) } };

describe('a catalogue file', () => {
  it('is accepted: the example in the guide', () => {
    expect(mistakesOf(EXAMPLE)).to.deep.equal([]);
  });

  it('is accepted as JSON and as YAML, and exported as it was', () => {
    const parsed = parseCatalogue(EXAMPLE);
    if ('mistakes' in parsed) throw new Error('the example has mistakes');
    for (const format of ['yaml', 'json'] as const)
      expect(parseCatalogue(formatCatalogue(parsed.file, format))).to.deep.equal(parsed);
  });

  describe('that is a part', () => {
    const stored = (count: number, { schema = {} as object } = {}) =>
      Array.from({ length: count }, (_, index): StoredEventType => {
        const type = withSchema(schema);
        return {
          ...type,
          examples: [{}],
          schema: { ...type.schema },
          name: `stored.t${index}`,
          deprecated: false,
          version: 1,
        };
      });
    const part = { eventTypes: [aType()] };

    it('is accepted as long as one file can hold the catalogue', () => {
      expect(mistakesOf(part, stored(499), 'partial')).to.deep.equal([]);
      expect(
        mistakesOf({ eventTypes: [{ ...withSchema({}), name: 'stored.t0' }] }, stored(500), 'partial'),
      ).to.deep.equal([]);
    });

    it('is refused with more types than a file may have', () => {
      expect(mistakesOf(part, stored(500), 'partial')).to.deep.equal([
        'eventTypes: must be at most 500 types, with the types that are stored',
      ]);
    });

    it('is refused with more than a file may have in bytes', () => {
      const schema = { properties: { a: { enum: ['x'.repeat(60_000)] } } };
      expect(mistakesOf(part, stored(40, { schema }), 'partial')).to.deep.equal([
        'eventTypes: must have at most 2097152 bytes as a file, with the types that are stored',
      ]);
    });
  });

  for (const [what, text, path] of [
    ['text that is no YAML', 'eventTypes: [', ''],
    ['a key that occurs twice', 'eventTypes: []\neventTypes: []', ''],
    ['thousands of levels', `eventTypes: ${'['.repeat(3000)}${']'.repeat(3000)}`, ''],
    ['levels without end', 'eventTypes:\n- &a [*a]', ''],
    ['expanding aliases', 'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]', 'eventTypes'],
    ['a file that is too large', `# ${'x'.repeat(3_000_000)}`, ''],
    ['a list instead of an object', '[]', 'the file'],
    ['an unknown field', 'eventTypes: []\nversion: 1', 'version'],
    ['a type that is no object', 'eventTypes: [1]', 'eventTypes[0]'],
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(mistakesOf(text).map((line) => line.split(': ')[0])).to.include(path);
    });
  }

  // Regression: the parser ran out of stack, which ended the process where it compiled an expression.
  it('is refused with the line in which it is nested too deeply, however deep it is', () => {
    const levels = (depth: number) =>
      `eventTypes:\n  # A comment.\n  - a: ${'['.repeat(depth)}${']'.repeat(depth)}`;
    for (const depth of [63, 1_000, 5_000, 500_000])
      expect(mistakesOf(levels(depth)), String(depth)).to.deep.equal([
        ': the file is nested deeper than 64 levels, first in line 3',
      ]);
    expect(mistakesOf(levels(61)).join())
      .to.include('eventTypes[0].a')
      .and.not.to.include('deeper');
  });

  // Regression: all items were passed to one call, which exceeded the stack.
  it('is refused with what is too large, however many items a list has', () => {
    const many = `[${'0,'.repeat(200_000)}0]`;
    const file = (types: string) => `{"eventTypes":${types}}`;
    const type = aType({ schema: { type: 'object' }, examples: [{ list: 'MANY' }] });
    expect(mistakesOf(file(many))).to.deep.equal(['eventTypes: must have at most 500 types']);
    expect(mistakesOf(file(JSON.stringify([type]).replace('"MANY"', many)))).to.deep.equal([
      'eventTypes[0].examples[0]: is larger than 65536 characters',
    ]);
  });

  for (const [what, type, path] of [
    ['a type without a name', { ...aType(), name: undefined }, 'eventTypes[0].name'],
    ['an unknown field of a type', { ...aType(), owner: 'me' }, 'eventTypes[0].owner'],
    ['no example', aType({ examples: [] }), 'eventTypes[0].examples'],
    ['one word as a name', aType({ name: 'paid' }), 'eventTypes[0].name'],
    ['upper case in a name', aType({ name: 'Invoice.paid' }), 'eventTypes[0].name'],
    ['six words in a name', aType({ name: 'a.b.c.d.e.f' }), 'eventTypes[0].name'],
    ['a long name', aType({ name: `a.${'b'.repeat(100)}` }), 'eventTypes[0].name'],
    ['the name of a built-in type', aType({ name: 'webhook_endpoint.created' }), 'eventTypes[0].name'],
    ['a reserved prefix', aType({ name: 'workspace_user.added' }), 'eventTypes[0].name'],
    ['a reserved first word', aType({ name: 'billing.invoice.paid' }), 'eventTypes[0].name'],
    ['a schema of no object', aType({ schema: { type: 'string' } }), 'eventTypes[0].schema.type'],
    [
      'another dialect',
      withSchema({ $schema: 'http://json-schema.org/draft-07/schema#' }),
      'eventTypes[0].schema.$schema',
    ],
    [
      'a field that every event has',
      withSchema({ properties: { eventId: {} } }),
      'eventTypes[0].schema.properties.eventId',
    ],
    ['a bound on all fields', withSchema({ maxProperties: 2 }), 'eventTypes[0].schema.maxProperties'],
    [
      'a required field that every event has',
      withSchema({ required: ['eventId'] }),
      'eventTypes[0].schema.required',
    ],
    ['a wrong type', withField({ type: 'money' }), 'eventTypes[0].schema.properties.field.type'],
    ['an unknown keyword', withField({ minLenght: 1 }), 'eventTypes[0].schema.properties.field.minLenght'],
    ['an unknown format', withField({ format: 'money' }), 'eventTypes[0].schema.properties.field.format'],
    [
      'a wrong keyword value',
      withField({ minLength: -1 }),
      'eventTypes[0].schema.properties.field.minLength',
    ],
    [
      'an example that does not match',
      aType({ examples: [{ amount: 'x' }] }),
      'eventTypes[0].examples[0].amount',
    ],
    [
      'an example with the time',
      aType({ examples: [{ occurredAt: 'x' }] }),
      'eventTypes[0].examples[0].occurredAt',
    ],
    [
      'an example that cannot be stored',
      aType({
        schema: { type: 'object', additionalProperties: true },
        examples: [{ a: { _bsontype: 'Long' } }],
      }),
      'eventTypes[0].examples[0].a._bsontype',
    ],
    [
      'a required field that is dropped',
      aType({ schema: { type: 'object', required: ['b'], properties: {} }, examples: [{ b: 1 }] }),
      'eventTypes[0].examples[0].b',
    ],
    [
      'a reference to the network',
      withField({ $ref: 'https://example.com/schema.json' }),
      'eventTypes[0].schema.properties.field.$ref',
    ],
    [
      'a reference to a file',
      withField({ $ref: 'file:///etc/passwd' }),
      'eventTypes[0].schema.properties.field.$ref',
    ],
    [
      'a reference to nothing',
      withField({ $ref: '#/$defs/none' }),
      'eventTypes[0].schema.properties.field.$ref',
    ],
    [
      'a reference to itself',
      withField({ $ref: '#' }),
      'eventTypes[0].schema.properties.field.properties.field.$ref',
    ],
    [
      'an identifier',
      withField({ $id: 'https://example.com/a' }),
      'eventTypes[0].schema.properties.field.$id',
    ],
    [
      'a dynamic reference',
      withField({ $dynamicRef: '#a' }),
      'eventTypes[0].schema.properties.field.$dynamicRef',
    ],
    ['alternatives that multiply', withSchema(exponential()), 'eventTypes[0].schema'],
    [
      'many levels',
      withField(nested(25)),
      `eventTypes[0].schema.properties.field${'.properties.a'.repeat(20)}`,
    ],
    [
      'a huge list of values',
      withField({ enum: Array.from({ length: 1_001 }, (_, at) => at) }),
      'eventTypes[0].schema.properties.field.enum',
    ],
    ['a huge schema', withField({ description: 'x'.repeat(70_000) }), 'eventTypes[0].schema'],
    [
      'objects that must be unique',
      withField({ uniqueItems: true }),
      'eventTypes[0].schema.properties.field.uniqueItems',
    ],
    [
      'an exponential pattern',
      withField({ pattern: '^(a+)+$' }),
      'eventTypes[0].schema.properties.field.pattern',
    ],
    [
      'an ambiguous pattern',
      withField({ pattern: '(a|a)*$' }),
      'eventTypes[0].schema.properties.field.pattern',
    ],
    [
      'a quadratic pattern',
      withField({ pattern: '\\s+$|^\\s+' }),
      'eventTypes[0].schema.properties.field.pattern',
    ],
    [
      'a catastrophic pattern of names',
      withField({ patternProperties: { '^(a+)+$': {} } }),
      'eventTypes[0].schema.properties.field.patternProperties.^(a+)+$',
    ],
    ['a pattern that is none', withField({ pattern: '[' }), 'eventTypes[0].schema.properties.field.pattern'],
  ] as const) {
    it(`is refused with ${what}`, () => {
      expect(paths(type)).to.include(path);
    });
  }

  const IN_PLACE: readonly (readonly [string, (part: object) => object, string])[] = [
    ['allOf', (part) => ({ allOf: [part] }), 'allOf[0]'],
    ['anyOf', (part) => ({ anyOf: [{}, part] }), 'anyOf[1]'],
    ['oneOf', (part) => ({ oneOf: [part] }), 'oneOf[0]'],
    ['not', (part) => ({ not: part }), 'not'],
    ['if', (part) => ({ if: part }), 'if'],
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    ['then', (part) => ({ if: {}, then: part }), 'then'],
    ['else', (part) => ({ if: {}, else: part }), 'else'],
    ['dependentSchemas', (part) => ({ dependentSchemas: { a: part } }), 'dependentSchemas.a'],
    ['a reference', (part) => ({ $ref: '#/$defs/part', $defs: { part } }), '$defs.part'],
    [
      'several levels',
      (part) => ({
        allOf: [{ anyOf: [{ $ref: '#/$defs/other/allOf/0' }] }],
        $defs: { other: { allOf: [part] } },
      }),
      '$defs.other.allOf[0]',
    ],
  ];
  const OF_WHOLE_EVENT: readonly (readonly [string, object])[] = [
    ['properties.eventId', { properties: { eventId: { type: 'integer' } } }],
    ['required', { required: ['occurredAt'] }],
    ['dependentRequired.workspaceId', { dependentRequired: { workspaceId: ['a'] } }],
    ['dependentRequired.a', { dependentRequired: { a: ['workspaceId'] } }],
    ['dependentSchemas.eventId', { dependentSchemas: { eventId: {} } }],
    ['maxProperties', { maxProperties: 2 }],
    ['minProperties', { minProperties: 2 }],
    ['propertyNames', { propertyNames: { maxLength: 3 } }],
    ['patternProperties.Id$', { patternProperties: { Id$: { type: 'integer' } } }],
    ['patternProperties.At$', { patternProperties: { At$: { pattern: '^in_' } } }],
    ['const', { const: {} }],
    ['enum', { enum: [{}] }],
    ['additionalProperties', { additionalProperties: { type: 'integer' } }],
    ['unevaluatedProperties', { unevaluatedProperties: { type: 'integer' } }],
  ];
  for (const [what, place, path] of IN_PLACE) {
    // Regression: only the top itself was checked, and a schema was registered that every whole event violated.
    it(`is refused with what would apply to the fields that every event has, in ${what}`, () => {
      for (const [keyword, part] of OF_WHOLE_EVENT)
        expect(paths(withSchema(place(part))), keyword).to.include(`eventTypes[0].schema.${path}.${keyword}`);
    });
  }

  it('is refused with a closed schema where it decides, because the fields that every event has are added', () => {
    const closed = { properties: { a: {} }, additionalProperties: false };
    for (const [place, path] of [
      [{ not: closed }, 'not'],
      [{ if: { allOf: [closed] }, else: { required: ['b'] } }, 'if.allOf[0]'],
    ] as const)
      expect(paths(withSchema(place))).to.include(`eventTypes[0].schema.${path}.additionalProperties`);
  });

  it('states once, for each place, what to do about the fields that every event has', () => {
    const schema = {
      allOf: [
        { $ref: '#/$defs/part' },
        { $ref: '#/$defs/part' },
        { additionalProperties: { type: 'integer' } },
        { patternProperties: { At$: { format: 'date' } } },
        { propertyNames: { maxLength: 10 } },
      ],
      $defs: { part: { properties: { eventId: {} }, maxProperties: 2 } },
    };
    expect(mistakesOf({ eventTypes: [withSchema(schema)] })).to.deep.equal([
      'eventTypes[0].schema.$defs.part.maxProperties: would apply to the fields that every event has: use it only inside a field',
      'eventTypes[0].schema.$defs.part.properties.eventId: is a field that every event has: leave it out',
      'eventTypes[0].schema.allOf[2].additionalProperties: may refuse the fields that every event has (eventId, occurredAt, workspaceId): allow any text, or use it only at the top or inside a field',
      'eventTypes[0].schema.allOf[3].patternProperties.At$: may refuse the fields that every event has (occurredAt): exclude their names from the pattern',
      'eventTypes[0].schema.allOf[4].propertyNames: may refuse the fields that every event has (workspaceId): allow these names',
    ]);
  });

  // Regression: these keywords were refused whatever they said.
  it('accepts what holds for the fields that every event has', () => {
    const parts: object[] = [
      { additionalProperties: { type: 'string' } },
      { additionalProperties: { type: ['string', 'null'], minLength: 1 } },
      { additionalProperties: { $ref: '#/$defs/text' } },
      { additionalProperties: { anyOf: [{ type: 'integer' }, { type: 'string' }] } },
      { unevaluatedProperties: { type: 'string', description: 'Any text.' } },
      { patternProperties: { '^x-': { type: 'integer' } } },
      { patternProperties: { At$: { type: 'string', format: 'date-time' } } },
      {
        patternProperties: { '^(eventId|occurredAt|workspaceId)$': true },
        additionalProperties: { type: 'integer' },
      },
      { propertyNames: { pattern: '^[a-zA-Z]+$', maxLength: 20 } },
    ];
    for (const part of parts)
      for (const place of [part, { allOf: [part] }, { not: { required: ['x'], ...part } }, { oneOf: [part] }])
        expect(
          mistakesOf({ eventTypes: [withSchema({ ...place, $defs: { text: { type: 'string' } } })] }),
          JSON.stringify(place),
        ).to.deep.equal([]);
  });

  it('accepts the same keywords inside a field, and closed or open alternatives of the whole event', () => {
    for (const [, part] of OF_WHOLE_EVENT) {
      const schema = { properties: { field: part }, $defs: { unused: part } };
      expect(paths(withSchema(schema)), JSON.stringify(part)).to.deep.equal([]);
    }
    const closed = { properties: { a: {} }, required: ['a'], additionalProperties: false };
    const open = { properties: { b: {} }, additionalProperties: { description: 'Anything.' } };
    for (const alternatives of [{ oneOf: [closed, {}] }, { anyOf: [closed, open] }]) {
      const schema = { ...alternatives, additionalProperties: { type: 'integer' } };
      expect(paths(withSchema(schema)), JSON.stringify(schema)).to.deep.equal([]);
    }
  });

  it('is refused with every mistake together', () => {
    const file = {
      eventTypes: [
        aType({
          name: 'Bad',
          schema: { type: 'object', properties: { a: { pattern: '(a+)+$' }, b: { $ref: 'http://x' } } },
        }),
        aType({ name: 'order.paid', examples: [{ amount: 'x' }] }),
        aType({ name: 'order.paid' }),
      ],
    };
    expect(mistakesOf(file).map((line) => line.split(': ')[0])).to.have.members([
      'eventTypes[0].name',
      'eventTypes[0].schema.properties.a.pattern',
      'eventTypes[0].schema.properties.b.$ref',
      'eventTypes[1].examples[0].amount',
      'eventTypes[2].name',
    ]);
  });

  it('accepts patterns of everyday identifiers', () => {
    for (const pattern of [
      '^in_[a-z0-9]+$',
      '^[A-Z]{3}$',
      '^[a-z0-9]+(?:-[a-z0-9]+)*$',
      '^[^@]+@[^@]+$',
      '^\\p{L}+$',
    ])
      expect(paths(withField({ pattern })), pattern).to.deep.equal([]);
  });

  it('accepts each format', () => {
    for (const format of FORMATS) expect(paths(withField({ type: 'string', format }))).to.deep.equal([]);
  });
});

describe('a catalogue file against the stored catalogue', () => {
  const stored: StoredEventType = { ...aType(), deprecated: false, version: 3 } as unknown as StoredEventType;

  it('must have every stored type', () => {
    expect(mistakesOf({ eventTypes: [] }, [stored])[0]).to.match(/^eventTypes: lacks invoice\.paid/);
  });

  it('may hold only some types if it says so', () => {
    expect(mistakesOf({ eventTypes: [aType({ name: 'order.paid' })] }, [stored], 'partial')).to.deep.equal(
      [],
    );
  });

  it('raises the version of a type only with its schema', () => {
    const changeOf = (overrides: object) => {
      const parsed = parseCatalogue(JSON.stringify({ eventTypes: [aType(overrides)] }));
      const plan = planChanges(parsed, new Map([[stored.name, stored]]), 'whole');
      if ('mistakes' in plan) throw new Error(JSON.stringify(plan.mistakes));
      return plan.changes.map(({ type, changed }) => [type.version, changed]);
    };
    expect(changeOf({})).to.deep.equal([[3, []]]);
    expect(changeOf({ description: 'Other.', deprecated: true })).to.deep.equal([
      [3, ['description', 'deprecated']],
    ]);
    const schema = { type: 'object', properties: { amount: { type: 'integer' }, note: { type: 'string' } } };
    expect(changeOf({ schema })).to.deep.equal([[4, ['schema']]]);
  });

  // Regression: a wrong form hid all other mistakes, and a wrong example those of the schema.
  it('is refused with mistakes of form, content and compatibility together', () => {
    const file = {
      version: 1,
      eventTypes: [
        aType({ schema: { type: 'object', properties: { amount: { type: 'string' } } } }),
        { ...withField({ pattern: '(a+)+$' }), name: 'order.sent', description: undefined },
        aType({ name: 'order.sent', examples: [] }),
        aType({ name: 'Bad', owner: 'me' }),
        aType({ name: 'Bad' }),
        'order.paid',
      ],
    };
    const kept = { ...stored, name: 'order.sent' };
    const refunded = { ...stored, name: 'order.refunded' };
    expect(
      mistakesOf(file, [stored, kept, refunded]).map((line) => line.split(/: (?=[a-z])/)[0]),
    ).to.have.members([
      'version',
      'eventTypes[0].examples[0].amount',
      'eventTypes[0].schema.properties.amount.type',
      'eventTypes[1].description',
      'eventTypes[1].schema.properties.field.pattern',
      'eventTypes[2].examples',
      'eventTypes[2].name',
      'eventTypes[3].owner',
      'eventTypes[3].name',
      'eventTypes[4].name',
      'eventTypes[4].name',
      'eventTypes[5]',
      'eventTypes',
    ]);
  });

  it('names the place of a change that is not additive', () => {
    const schema = { type: 'object', required: ['amount'], properties: { amount: { type: 'string' } } };
    expect(
      mistakesOf({ eventTypes: [aType({ schema, examples: [{ amount: 'x' }] })] }, [stored]),
    ).to.deep.equal([
      'eventTypes[0].schema.properties.amount.type: must still allow integer',
      'eventTypes[0].schema.required: must not require amount, which was optional before',
    ]);
  });
});
