import type { SchemaObject } from '@postrider/shared/catalogue/json-schema';
import { createProjection } from '@postrider/shared/catalogue/project';
import { createCompiler } from '@postrider/shared/catalogue/validator';
import { expect } from 'chai';
import fc from 'fast-check';
import { narrowings } from '../../src/catalogue/compare-schemas.js';
import { anyFields, anyObjectSchema, changed } from './schema-arbitrary.js';

const compile = createCompiler('first');
const pathsOf = (before: SchemaObject, after: SchemaObject) =>
  narrowings(before, after).map(({ path }) => path);
const inField = (before: unknown, after: unknown) =>
  pathsOf({ properties: { field: before } }, { properties: { field: after } }).map((path) =>
    path.replace('schema.properties.field.', ''),
  );

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

  it('never accepts a version that refuses or drops what was valid before', function () {
    this.timeout(60_000);
    let compatible = 0;
    fc.assert(
      fc.property(
        anyObjectSchema.chain((before) => fc.tuple(fc.constant(before), changed(before))),
        fc.array(anyFields, { minLength: 20, maxLength: 20 }),
        ([before, after], values) => {
          if (narrowings(before, after).length > 0) return;
          compatible += 1;
          const [wasValid, isValid] = [compile(before), compile(after)];
          const [project, projectNow] = [createProjection(before), createProjection(after)];
          for (const kept of values.filter((value) => wasValid(value)).map(project)) {
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
