import { compileEventType } from '@postrider/shared/catalogue/compile-event-type';
import type { JsonSchema, SchemaObject } from '@postrider/shared/catalogue/json-schema';
import { registeredSchema } from '@postrider/shared/catalogue/registered-schema';
import { createCompiler } from '@postrider/shared/catalogue/validator';
import { expect } from 'chai';
import fc from 'fast-check';
import { checkEnvelope } from '../../src/catalogue/check-envelope.js';

const compile = createCompiler('first');

const ADDED = {
  eventId: 'evt_01j8z3k4m5n6p7q8r9s0t1v2w3',
  occurredAt: '2026-11-28T12:00:00.000Z',
  workspaceId: 'ws_01j8z3k4m5n6p7q8r9s0t1v2w3',
};

const field = fc.constantFrom<JsonSchema>(
  true,
  false,
  {},
  { type: 'string' },
  { type: 'string', minLength: 1 },
  { type: 'string', pattern: '^evt_' },
  { type: 'string', format: 'date-time' },
  { type: ['string', 'integer'] },
  { type: 'integer' },
  { anyOf: [{ type: 'integer' }, { type: 'string' }] },
  { not: { type: 'string' } },
);

const { schema } = fc.letrec<{ schema: SchemaObject }>((tie) => {
  const part = tie('schema');
  const parts = fc.array(part, { minLength: 1, maxLength: 2 });
  const name = fc.constantFrom('a', 'b');
  return {
    schema: fc.oneof(
      { maxDepth: 3 },
      fc.record({ properties: fc.dictionary(name, field, { maxKeys: 2, noNullPrototype: true }) }),
      fc.record({ required: fc.uniqueArray(name) }),
      fc.record({ additionalProperties: field, properties: fc.constant({ a: {} }) }),
      fc.record({ unevaluatedProperties: field }),
      fc.record({
        patternProperties: fc.dictionary(fc.constantFrom('Id$', '^[a-b]', '^occ', '^[a-z]'), field, {
          noNullPrototype: true,
        }),
        additionalProperties: field,
      }),
      fc.record({
        propertyNames: fc.constantFrom<JsonSchema>(
          false,
          { maxLength: 1 },
          { maxLength: 20 },
          { pattern: '^[a-w]' },
        ),
      }),
      fc.constantFrom({ minProperties: 1 }, { maxProperties: 2 }),
      fc.record({ allOf: parts }),
      fc.record({ anyOf: parts }),
      fc.record({ oneOf: parts }),
      fc.record({ not: part }),
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      fc.record({ if: part, then: part, else: part }),
    ),
  };
});

const fields = fc.dictionary(fc.constantFrom('a', 'b', 'x'), fc.constantFrom('text', '', 1), {
  maxKeys: 3,
  noNullPrototype: true,
});

describe('the fields that every event has', () => {
  it('make no accepted event invalid by the registered schema', function () {
    this.timeout(60_000);
    let checked = 0;
    fc.assert(
      fc.property(schema, fields, (part, own) => {
        const whole = { type: 'object', ...part };
        const mistakes: string[] = [];
        checkEnvelope(whole, (path, message) => mistakes.push(`${path.join('.')} ${message}`));
        if (mistakes.length > 0 || !compile(whole)(own)) return;
        const read = compileEventType({ schema: whole }).read(own);
        if ('mistakes' in read) return;
        checked += 1;
        const registered = registeredSchema({ name: 'a.b', description: 'Any.', schema: whole });
        const event = { ...ADDED, ...read.fields };
        expect(compile(registered)(event), JSON.stringify({ whole, event })).to.equal(true);
      }),
      { numRuns: 3_000 },
    );
    expect(checked).to.be.greaterThan(200);
  });
});
