import type { SchemaObject } from '@postrider/shared/catalogue/json-schema';
import { createProjection } from '@postrider/shared/catalogue/project';
import { createCompiler } from '@postrider/shared/catalogue/validator';
import { expect } from 'chai';
import fc from 'fast-check';
import { narrowings } from '../../src/catalogue/compare-schemas.js';
import {
  anyFields,
  anyObjectSchema,
  changed,
  fieldsInFields,
  versionsWithNewField,
} from './schema-arbitrary.js';

const compile = createCompiler('first');
const pathsOf = (before: SchemaObject, after: SchemaObject) =>
  narrowings(before, after).map(({ path }) => path);
const inField = (before: unknown, after: unknown) =>
  pathsOf({ properties: { field: before } }, { properties: { field: after } }).map((path) =>
    path.replace('schema.properties.field.', ''),
  );

const KEEPS_X = { properties: { x: { type: 'number' } } };

describe('the comparison of two versions of a schema', () => {
  for (const [what, before, after] of [
    ['a new optional field', { properties: { a: {} } }, { properties: { a: {}, b: { type: 'string' } } }],
    ['a field that is optional now', { required: ['a'] }, {}],
    ['a wider list of values', { enum: ['a'] }, { enum: ['b', 'a'] }],
    ['any value instead of a list', { type: 'string', enum: ['a'] }, { type: 'string' }],
    ['another value of a constant', { const: 'a' }, { enum: ['a', 'b'] }],
    ['a further type', { type: 'string' }, { type: ['string', 'null'] }],
    ['all numbers', { type: 'integer' }, { type: 'number' }],
    ['a lower minimum', { minimum: 2 }, { minimum: 1 }],
    ['no minimum', { minimum: 2 }, {}],
    ['a higher maximum', { maxLength: 2 }, { maxLength: 3 }],
    ['a finer step', { multipleOf: 10 }, { multipleOf: 5 }],
    ['no pattern', { pattern: 'a' }, {}],
    ['texts', { title: 'a', examples: [1] }, { description: 'b', deprecated: true }],
    [
      'another alternative',
      { anyOf: [{ type: 'string' }] },
      { anyOf: [{ type: 'null' }, { type: 'string' }] },
    ],
    [
      'a condition that held already',
      { type: 'object', required: ['a'] },
      { type: 'object', allOf: [{ required: ['a'] }] },
    ],
    [
      'other fields that are kept',
      { properties: { a: {} } },
      { properties: { a: {} }, additionalProperties: true },
    ],
    [
      'unknown fields in a closed object',
      { properties: {}, additionalProperties: false },
      { properties: { a: { type: 'string' } } },
    ],
    [
      'a new field beside alternatives that do not name it',
      { properties: { a: {} }, anyOf: [{ required: ['a'] }, { properties: { b: {} } }] },
      {
        properties: { a: {}, x: { type: 'string' } },
        anyOf: [{ required: ['a'] }, { properties: { b: {} } }],
      },
    ],
    [
      'a new field of an alternative',
      { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { anyOf: [{ properties: { a: {}, x: { type: 'string' } } }, { properties: { b: {} } }] },
    ],
    [
      'a new field of one of several parts',
      { properties: { a: { properties: { b: {} } }, b: { properties: { x: {} } } } },
      { properties: { a: { properties: { b: {}, x: { type: 'string' } } }, b: { properties: { x: {} } } } },
    ],
    [
      'a new field of additional fields',
      { properties: { a: { properties: { x: {} } } }, additionalProperties: { properties: { b: {} } } },
      {
        properties: { a: { properties: { x: {} } } },
        additionalProperties: { properties: { b: {}, x: { type: 'string' } } },
      },
    ],
    [
      'a new field of the other items',
      { prefixItems: [{ properties: { x: {} } }], items: { properties: { b: {} } } },
      { prefixItems: [{ properties: { x: {} } }], items: { properties: { b: {}, x: { type: 'string' } } } },
    ],
  ] as const) {
    it(`accepts ${what}`, () => {
      expect(inField(before, after)).to.deep.equal([]);
    });
  }

  for (const [what, before, after, path] of [
    ['a removed field', { properties: { a: {} } }, { properties: {} }, 'properties.a'],
    [
      'a field of another type',
      { properties: { a: { type: 'string' } } },
      { properties: { a: { type: 'integer' } } },
      'properties.a.type',
    ],
    [
      'a new required field',
      { properties: { a: {} } },
      { properties: { a: {} }, required: ['a'] },
      'required',
    ],
    ['fewer types', { type: ['string', 'null'] }, { type: 'string' }, 'type'],
    ['integers alone', { type: 'number' }, { type: 'integer' }, 'type'],
    ['fewer values', { enum: ['a', 'b'] }, { enum: ['a'] }, 'enum'],
    ['a list of values', { type: 'string' }, { type: 'string', enum: ['a'] }, 'enum'],
    ['a higher minimum', { minimum: 1 }, { minimum: 2 }, 'minimum'],
    ['a new minimum', {}, { minimum: 0 }, 'minimum'],
    ['a lower maximum', { maxItems: 3 }, { maxItems: 2 }, 'maxItems'],
    ['a coarser step', { multipleOf: 5 }, { multipleOf: 10 }, 'multipleOf'],
    ['a new pattern', {}, { pattern: 'a' }, 'pattern'],
    ['another pattern', { pattern: 'a' }, { pattern: 'b' }, 'pattern'],
    ['a new format', {}, { format: 'email' }, 'format'],
    ['unique items', {}, { uniqueItems: true }, 'uniqueItems'],
    ['narrower items', { items: {} }, { items: { type: 'string' } }, 'items.type'],
    [
      'a closed object',
      { properties: { a: {} } },
      { properties: { a: {} }, additionalProperties: false },
      'additionalProperties',
    ],
    [
      'other fields that are dropped',
      { properties: { a: {} }, additionalProperties: true },
      { properties: { a: {} } },
      'additionalProperties',
    ],
    [
      'fields for the first time',
      { type: 'object' },
      { type: 'object', properties: { a: {} } },
      'properties',
    ],
    [
      'a typed field that was free',
      { properties: {}, additionalProperties: true },
      { properties: { a: { type: 'string' } }, additionalProperties: true },
      'properties.a.type',
    ],
    [
      'a lost alternative',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      { anyOf: [{ type: 'string' }] },
      'anyOf[1]',
    ],
    ['a new condition', {}, { allOf: [{ minimum: 1 }] }, 'allOf[0]'],
    [
      'another exclusive alternative',
      { oneOf: [{ minimum: 1 }] },
      { oneOf: [{ minimum: 1 }, { maximum: 3 }] },
      'oneOf',
    ],
    ['another prohibition', { not: { const: 1 } }, { not: { const: 2 } }, 'not'],
    ['a new consequence', { if: { const: 1 } }, { if: { const: 1 }, else: { type: 'string' } }, 'if'],
    ...(['oneOf', 'allOf', 'anyOf'] as const).map(
      (keyword) =>
        [
          `fields that were listed in ${keyword}`,
          { properties: { a: {} }, [keyword]: [{ properties: { b: {} } }] },
          { properties: { a: {} } },
          keyword,
        ] as const,
    ),
    [
      'fields that were listed in one of several parts',
      { allOf: [{ properties: { a: {} } }, { properties: { b: {} } }] },
      { allOf: [{ properties: { a: {} } }] },
      'allOf[1]',
    ],
    [
      'fields that were listed in a consequence',
      { properties: { a: {} }, if: { required: ['a'] }, else: { properties: { b: {} } } },
      { properties: { a: {} } },
      'else',
    ],
    [
      'fields that were listed for another one',
      { properties: { a: {} }, dependentSchemas: { a: { properties: { b: {} } } } },
      { properties: { a: {} } },
      'dependentSchemas',
    ],
    [
      'other fields that a part kept',
      { properties: { a: {} }, allOf: [{ additionalProperties: true }] },
      { properties: { a: {} } },
      'allOf',
    ],
    [
      'other fields that an empty part no longer keeps',
      { properties: { a: {} }, allOf: [{ additionalProperties: true }] },
      { properties: { a: {} }, allOf: [{}] },
      'allOf[0]',
    ],
    [
      'other fields that an empty alternative no longer keeps',
      { properties: { a: {} }, anyOf: [{ patternProperties: { '^x': {} } }] },
      { properties: { a: {} }, anyOf: [{}] },
      'anyOf[0]',
    ],
    [
      'a part that restricts what other parts evaluated',
      { properties: { b: {} }, allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
      {
        properties: { b: {} },
        allOf: [{ properties: { a: {} } }, { properties: { b: {} }, unevaluatedProperties: false }],
      },
      'allOf[1]',
    ],
    [
      'first items that are no longer evaluated',
      { prefixItems: [{ type: 'string' }, { type: 'integer' }], unevaluatedItems: false },
      { prefixItems: [{ type: 'string' }], unevaluatedItems: false },
      'unevaluatedItems',
    ],
    [
      'items that are no longer evaluated',
      { items: { type: 'string' }, unevaluatedItems: false },
      { unevaluatedItems: false },
      'unevaluatedItems',
    ],
    [
      'other fields that were not evaluated',
      { properties: { a: {} }, unevaluatedProperties: true },
      { properties: { a: {} } },
      'unevaluatedProperties',
    ],
    [
      'a match that was not required',
      { contains: { const: 1 }, minContains: 0 },
      { contains: { const: 1 } },
      'minContains',
    ],
    ['nothing at all', { type: 'string' }, false, ''],
    ...Object.entries({
      allOf: { allOf: [KEEPS_X] },
      anyOf: { anyOf: [{}, KEEPS_X] },
      oneOf: { oneOf: [KEEPS_X] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { if: {}, then: KEEPS_X },
      dependentSchemas: { dependentSchemas: { a: KEEPS_X } },
      'a part of a part': { allOf: [{ anyOf: [KEEPS_X] }] },
      'a part that keeps other fields': { allOf: [{ additionalProperties: true }] },
      'a part, beside unevaluatedProperties': { allOf: [KEEPS_X], unevaluatedProperties: false },
    }).map(
      ([where, parts]) =>
        [
          `a type for a field that was kept by ${where}`,
          { properties: { a: {} }, ...parts },
          { properties: { a: {}, x: { type: 'string' } }, ...parts },
          'properties.x.type',
        ] as const,
    ),
    ...Object.entries({
      allOf: { properties: { f: KEEPS_X } },
      patternProperties: { patternProperties: { '^f': KEEPS_X } },
      additionalProperties: { additionalProperties: KEEPS_X },
    }).map(
      ([where, part]) =>
        [
          `a type for a field in a field that was kept by ${where} in another part`,
          { properties: { f: { properties: { a: {} } } }, allOf: [part] },
          { properties: { f: { properties: { a: {}, x: { type: 'string' } } } }, allOf: [part] },
          'properties.f.properties.x.type',
        ] as const,
    ),
    [
      'a type for a field in items that was kept by another part',
      { items: { properties: { a: {} } }, allOf: [{ prefixItems: [true, KEEPS_X] }] },
      { items: { properties: { a: {}, x: { type: 'string' } } }, allOf: [{ prefixItems: [true, KEEPS_X] }] },
      'items.properties.x.type',
    ],
    [
      'a type in a pattern for a field that was kept by a name',
      { properties: { f: KEEPS_X }, patternProperties: { '^f': { properties: { a: {} } } } },
      {
        properties: { f: KEEPS_X },
        patternProperties: { '^f': { properties: { a: {}, x: { type: 'string' } } } },
      },
      'patternProperties.^f.properties.x.type',
    ],
    [
      'a type in a part for a field that was kept beside it',
      { ...KEEPS_X, allOf: [{ properties: { a: {} } }] },
      { ...KEEPS_X, allOf: [{ properties: { a: {}, x: { type: 'string' } } }] },
      'allOf[0]',
    ],
    [
      'a type in an alternative for a field that was kept by another one',
      { anyOf: [{ properties: { a: {} } }, KEEPS_X] },
      { anyOf: [{ properties: { a: {}, x: { type: 'string' } } }, KEEPS_X] },
      'anyOf[0]',
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      const expected = path === '' ? 'schema.properties.field' : path;
      expect(inField(before, after)).to.include(expected);
    });
  }

  it('ends when alternatives are nested in alternatives', () => {
    const deep = (levels: number, last: SchemaObject): SchemaObject =>
      levels === 0
        ? last
        : { anyOf: [deep(levels - 1, last), deep(levels - 1, { ...last, maximum: levels })] };
    expect(pathsOf(deep(9, { minimum: 1 }), deep(9, { minimum: 2 }))).to.not.deep.equal([]);
  });

  for (const { what, versions, values } of [
    {
      what: 'a version that refuses or drops what was valid before',
      versions: anyObjectSchema.chain((before) => fc.tuple(fc.constant(before), changed(before))),
      values: anyFields,
    },
    {
      what: 'a new field that refuses what another part of the schema kept',
      versions: versionsWithNewField,
      values: fieldsInFields,
    },
  ])
    it(`never accepts ${what}`, function () {
      this.timeout(60_000);
      let compatible = 0;
      fc.assert(
        fc.property(
          versions,
          fc.array(values, { minLength: 20, maxLength: 20 }),
          ([before, after], someValues) => {
            if (narrowings(before, after).length > 0) return;
            compatible += 1;
            const [wasValid, isValid] = [compile(before), compile(after)];
            const [project, projectNow] = [createProjection(before), createProjection(after)];
            for (const kept of someValues.filter((value) => wasValid(value)).map(project)) {
              if (!wasValid(kept)) continue;
              expect(isValid(kept), JSON.stringify({ before, after, kept })).to.equal(true);
              expect(projectNow(kept), JSON.stringify({ before, after })).to.deep.equal(kept);
            }
          },
        ),
        { numRuns: 60 },
      );
      expect(compatible).to.be.greaterThan(3);
    });
});
