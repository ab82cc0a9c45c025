import { expect } from 'chai';
import { compileEventType } from '../../src/catalogue/compile-event-type.js';
import type { SchemaObject } from '../../src/catalogue/json-schema.js';

const compile = (schema: SchemaObject) => compileEventType({ schema: { type: 'object', ...schema } });
const accepted = (schema: SchemaObject, fields: object) =>
  compile(schema).accept(fields as Record<string, unknown>);

const amounts = { type: 'object', required: ['amount'], properties: { amount: {} } };
const taxes = { type: 'object', required: ['vat'], properties: { vat: {} } };
const closedObject = (...names: string[]) => ({
  type: 'object',
  required: names,
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  additionalProperties: false,
});

describe('a compiled event type', () => {
  it('accepts fields that match and keeps them', () => {
    expect(accepted({ properties: { a: { type: 'integer' } } }, { a: 1 })).to.deep.equal({
      fields: { a: 1 },
    });
  });

  for (const [what, schema, fields, kept] of [
    ['drops fields that it does not name', { properties: { a: {} } }, { a: 1, b: 2 }, { a: 1 }],
    ['drops every field if it names none', { properties: {} }, { a: 1 }, {}],
    ['keeps all fields if it lists none', {}, { a: 1 }, { a: 1 }],
    [
      'keeps others where it allows them',
      { properties: { a: {} }, additionalProperties: true },
      { b: 2 },
      { b: 2 },
    ],
    [
      'keeps others with a schema',
      { properties: {}, additionalProperties: { type: 'integer' } },
      { b: 2 },
      { b: 2 },
    ],
    [
      'drops within fields',
      { properties: { a: { properties: { b: {} } } } },
      { a: { b: 1, c: 2 } },
      { a: { b: 1 } },
    ],
    [
      'drops within lists',
      { properties: { a: { items: { properties: { b: {} } } } } },
      { a: [{ b: 1, c: 2 }, 3] },
      { a: [{ b: 1 }, 3] },
    ],
    [
      'drops within the places of a list',
      { properties: { a: { prefixItems: [{}, { properties: {} }] } } },
      { a: [{ b: 1 }, { b: 1 }] },
      { a: [{ b: 1 }, {}] },
    ],
    [
      'drops within additional fields',
      { additionalProperties: { properties: {} } },
      { a: { b: 1 } },
      { a: {} },
    ],
    [
      'keeps what any alternative names',
      { properties: { a: {} }, anyOf: [{ properties: { b: {} } }, {}] },
      { a: 1, b: 2, c: 3 },
      { a: 1, b: 2 },
    ],
    [
      'keeps what patterns match',
      { properties: {}, patternProperties: { '^x-': {} } },
      { 'x-a': 1, y: 2 },
      { 'x-a': 1 },
    ],
    [
      'keeps what each pattern names that matches a field',
      {
        properties: { prices: { patternProperties: { '^price_': amounts, _eur$: taxes } } },
      },
      { prices: { price_eur: { amount: 1, vat: 2, note: 3 }, price_usd: { amount: 1, vat: 2 } } },
      { prices: { price_eur: { amount: 1, vat: 2 }, price_usd: { amount: 1 } } },
    ],
    [
      'keeps what a pattern names of a field that is named as well',
      { properties: { prices: { properties: { a_eur: amounts }, patternProperties: { _eur$: taxes } } } },
      { prices: { a_eur: { amount: 1, vat: 2, note: 3 } } },
      { prices: { a_eur: { amount: 1, vat: 2 } } },
    ],
    [
      'keeps what the schema of additional fields names of a field that only another schema names',
      { properties: { a: { allOf: [{ properties: { b: amounts } }, { additionalProperties: taxes }] } } },
      { a: { b: { amount: 1, vat: 2, note: 3 } } },
      { a: { b: { amount: 1, vat: 2 } } },
    ],
    [
      'keeps what each schema of a list names of an item',
      { properties: { a: { allOf: [{ prefixItems: [amounts] }, { items: taxes }] } } },
      {
        a: [
          { amount: 1, vat: 2, note: 3 },
          { amount: 1, vat: 2 },
        ],
      },
      { a: [{ amount: 1, vat: 2 }, { vat: 2 }] },
    ],
    [
      'joins what several schemas name',
      {
        allOf: [
          { properties: { a: { properties: { b: {} } } } },
          { properties: { a: { properties: { c: {} } } } },
        ],
      },
      { a: { b: 1, c: 2, d: 3 } },
      { a: { b: 1, c: 2 } },
    ],
    [
      'follows references',
      { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { properties: {} } } },
      { a: { c: 1 } },
      { a: {} },
    ],
    [
      'keeps values of other types as they are',
      { properties: { a: { properties: {} } } },
      { a: 'text' },
      { a: 'text' },
    ],
  ] as const) {
    it(what, () => {
      expect(accepted(schema, fields)).to.deep.equal({ fields: kept });
    });
  }

  it('keeps a field named like an inherited property as a field', () => {
    const fields = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
    const result = accepted({ properties: JSON.parse('{"__proto__": {}, "constructor": {}}') }, fields);
    expect(JSON.stringify(result)).to.equal('{"fields":{"__proto__":{"a":1},"constructor":2}}');
  });

  it('reports every mistake with its path', () => {
    const schema = {
      required: ['id'],
      properties: {
        amount: { type: 'integer' },
        lines: {
          items: {
            required: ['sku'],
            additionalProperties: false,
            properties: { sku: { enum: ['a', 'b'] } },
          },
        },
      },
    };
    const result = accepted(schema, { amount: 'x', lines: [{}, { sku: 'c' }, { sku: 'a', y: 1 }] });
    expect('mistakes' in result && result.mistakes).to.have.deep.members([
      { path: 'id', message: 'is required' },
      { path: 'amount', message: 'must be integer' },
      { path: 'lines[0].sku', message: 'is required' },
      { path: 'lines[1].sku', message: 'must be one of a, b' },
      { path: 'lines[2].y', message: 'is not a known field' },
    ]);
  });

  it('reports the first mistake alone where there could be very many', () => {
    const result = accepted(
      { properties: { a: { items: { type: 'string' } } } },
      { a: Array.from({ length: 9_000 }, () => 1) },
    );
    expect('mistakes' in result && result.mistakes).to.have.length(1);
  });

  // Regression: thousands of paths with a long name, which all have the same hash, were compared with each other.
  it('reports at most 50 mistakes, the first ones', () => {
    const { accept, read } = compileEventType({
      schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
    });
    const name = 'a'.repeat(16_400);
    const fields = { [name]: Array.from({ length: 250 }, (_, n) => n) };
    for (const checked of [accept(fields), read(fields)]) {
      const found = 'mistakes' in checked ? checked.mistakes : [];
      const places = Array.from({ length: 50 }, (_, n) => `${name}[${n}]`);
      expect(found.map(({ path }) => path)).to.deep.equal(places);
    }
  });

  it('reports the first mistake alone where long paths would be written thousands of times', () => {
    const { accept } = compileEventType({
      schema: { type: 'object', additionalProperties: { propertyNames: { maxLength: 3 } } },
    });
    const mistakesBelow = (length: number, names: number) => {
      const values = Object.fromEntries(Array.from({ length: names }, (_, n) => [`name${n}`, n]));
      const checked = accept({ b: { long: 1 }, ['a'.repeat(length)]: values });
      return 'mistakes' in checked ? checked.mistakes.length : 0;
    };
    expect([mistakesBelow(500, 4_000), mistakesBelow(100_000, 40)]).to.deep.equal([2, 2]);
    expect([mistakesBelow(16_400, 4_000), mistakesBelow(100_000, 400)]).to.deep.equal([1, 1]);
  });

  it('refuses the fields that every event has', () => {
    const result = accepted({}, { eventId: 'x', workspaceId: 'y' });
    expect('mistakes' in result && result.mistakes.map(({ path }) => path)).to.deep.equal([
      'eventId',
      'workspaceId',
    ]);
  });

  it('refuses fields that match only as long as nothing is dropped', () => {
    expect(accepted({ properties: {}, required: ['a'] }, { a: 1 })).to.deep.equal({
      mistakes: [{ path: 'a', message: 'is required' }],
    });
  });

  // Regression: they were opened for readers, and then both alternatives matched.
  it('accepts alternatives that only their unknown fields distinguish, and reads them', () => {
    const channel = { oneOf: [closedObject('email'), closedObject('email', 'name')] };
    const type = compile({ properties: { channel } });
    const fields = { channel: { email: 'a', name: 'b' } };
    expect(type.accept(fields)).to.deep.equal({ fields });
    expect(type.read({ channel: { ...fields.channel, later: 1 } })).to.deep.equal({ fields });
    expect('mistakes' in type.accept({ channel: { email: 'a', note: 'b' } })).to.equal(true);
    expect('mistakes' in type.read({ channel: { name: 'b' } })).to.equal(true);
  });

  it('still requires exactly one of the alternatives that are open as written', () => {
    const open = (name: string) => ({ properties: { [name]: {} }, required: [name] });
    const type = compile({ properties: { a: { oneOf: [open('b'), open('c')] } } });
    expect('mistakes' in type.read({ a: { b: 1, c: 1 } })).to.equal(true);
    expect('fields' in type.read({ a: { b: 1 } })).to.equal(true);
  });

  it('reads events of newer producers: unknown fields of closed objects are dropped', () => {
    const closed = compile({
      properties: { a: { properties: {}, additionalProperties: false } },
      additionalProperties: false,
    });
    expect(closed.read({ a: { b: 1 }, c: 2 })).to.deep.equal({ fields: { a: {} } });
    expect('mistakes' in closed.accept({ c: 2 })).to.equal(true);
  });

  it('returns the same fields if nothing is dropped, and others if anything is', () => {
    const type = compile({ properties: { a: { items: { properties: { b: {} } } }, c: {} } });
    const whole = { a: [{ b: 1 }, 2], c: { d: 1 } };
    expect(type.read(whole)).to.have.property('fields', whole);
    const more = { a: [{ b: 1, d: 1 }], c: 1 };
    expect(type.read(more)).to.have.property('fields').that.does.not.equal(more);
  });

  it('is compiled at once, also if the combinations of its schemas are exponential', () => {
    const names = Array.from({ length: 20 }, (_, n) => [`n${n}`, {}]);
    const level = (inside: object) => ({
      allOf: [{ properties: Object.fromEntries(names) }, { additionalProperties: inside }],
    });
    let schema: object = taxes;
    for (let depth = 0; depth < 9; depth += 1) schema = level(schema);
    const value = (depth: number): object => (depth === 0 ? { vat: 1, note: 2 } : { n7: value(depth - 1) });
    const result = compile(schema as SchemaObject).accept(value(9) as Record<string, unknown>);
    expect(JSON.stringify(result)).to.equal(JSON.stringify({ fields: value(9) }).replace(',"note":2', ''));
  });

  it('checks formats', () => {
    expect(
      'mistakes' in accepted({ properties: { at: { format: 'date-time' } } }, { at: 'yesterday' }),
    ).to.equal(true);
  });
});
