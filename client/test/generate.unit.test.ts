import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { customEventTypes } from '../src/generate/custom-event-types.js';
import { GenerateError, generate } from '../src/generate/generate.js';
import { typeOfSchema } from '../src/generate/type-of-schema.js';
import { compileErrors } from './compile-errors.js';

const OBJECT_A = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const OBJECT_B = { type: 'object', properties: { b: { type: 'string' } }, required: ['b'] };
const TEXT_A = '{\n  readonly a: string;\n}';
const TEXT_B = '{\n  readonly b: string;\n}';
const RECORD = 'Readonly<Record<string, unknown>>';

const TYPES: readonly (readonly [object | boolean, string])[] = [
  [true, 'unknown'],
  [false, 'never'],
  [{}, 'unknown'],
  [{ type: 'string', pattern: '^a', maxLength: 3 }, 'string'],
  [{ type: 'integer', minimum: 0 }, 'number'],
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ const: 'a"b' }, '"a\\"b"'],
  [{ enum: ['a', 1, null, true] }, "'a' | 1 | null | true"],
  [{ type: 'array', items: { type: 'string' } }, 'readonly string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, "readonly ('a' | 'b')[]"],
  [{ type: 'array', items: { type: 'array', items: { type: 'number' } } }, 'readonly (readonly number[])[]'],
  [
    { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    'readonly [string?, ...number[]]',
  ],
  [{ type: 'object' }, 'Readonly<Record<string, unknown>>'],
  [{ type: 'object', additionalProperties: { type: 'string' } }, 'Readonly<Record<string, string>>'],
  [
    {
      properties: { a: { type: 'string' }, 'b-c': { type: 'number', description: 'ends */ here' } },
      required: ['a'],
    },
    "{\n  readonly a: string;\n  /** ends *\\/ here */\n  readonly 'b-c'?: number;\n}",
  ],
  [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 'string | number'],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, 'unknown'],
  [{ type: 'string', allOf: [{ anyOf: [{ const: 'a' }, { const: 'b' }] }] }, "string & ('a' | 'b')"],
  // Regression: what began with an object was taken for one object, and got no parentheses.
  [{ type: 'array', items: { ...OBJECT_A, type: ['object', 'null'] } }, `readonly (${TEXT_A} | null)[]`],
  [{ type: 'array', items: { oneOf: [OBJECT_A, OBJECT_B] } }, `readonly (${TEXT_A} | ${TEXT_B})[]`],
  [
    { type: 'array', prefixItems: [{ oneOf: [OBJECT_A, OBJECT_B] }], items: false },
    `readonly [(${TEXT_A} | ${TEXT_B})?, ...never[]]`,
  ],
  [{ ...OBJECT_A, oneOf: [OBJECT_B, OBJECT_A] }, `${TEXT_A} & (${TEXT_B} | ${TEXT_A})`],
  [{ anyOf: [{ allOf: [OBJECT_A, OBJECT_B] }, { type: 'null' }] }, `${TEXT_A} & ${TEXT_B} | null`],
  [{ type: 'array', items: { allOf: [OBJECT_A, OBJECT_B] } }, `readonly (${TEXT_A} & ${TEXT_B})[]`],
  [
    { type: 'array', prefixItems: [{ type: 'array', items: OBJECT_A }], items: OBJECT_B },
    `readonly [(readonly ${TEXT_A}[])?, ...${TEXT_B}[]]`,
  ],
  [{ ...OBJECT_A, additionalProperties: true }, `${TEXT_A} & ${RECORD}`],
  [{ ...OBJECT_A, additionalProperties: { type: 'number' } }, `${TEXT_A} & ${RECORD}`],
  [{ ...OBJECT_A, additionalProperties: false }, TEXT_A],
  [{ ...OBJECT_A, patternProperties: { '^x-': {} } }, `${TEXT_A} & ${RECORD}`],
  [{ ...OBJECT_A, if: {}, else: OBJECT_B }, `${TEXT_A} & ${RECORD}`],
  [{ ...OBJECT_A, unevaluatedProperties: { type: 'number' } }, `${TEXT_A} & ${RECORD}`],
  [{ ...OBJECT_A, unevaluatedProperties: false }, TEXT_A],
  [
    {
      type: 'object',
      patternProperties: { '^n_': { type: 'number' } },
      additionalProperties: { type: 'string' },
    },
    RECORD,
  ],
  [
    { type: 'array', items: { ...OBJECT_A, additionalProperties: true } },
    `readonly (${TEXT_A} & ${RECORD})[]`,
  ],
];

describe('types from schemas', () => {
  for (const [schema, type] of TYPES) {
    it(`are right for ${JSON.stringify(schema)}`, () => {
      expect(typeOfSchema(schema)).to.equal(type);
    });
  }

  it('compile', () => {
    const code = TYPES.map(([schema], index) => `export type T${index} = ${typeOfSchema(schema)};`);
    expect(compileErrors(code.join('\n'))).to.deep.equal([]);
  }).timeout(20_000);

  it('accept what their schemas accept, and give known fields their own type', () => {
    const kinds = typeOfSchema({
      type: 'object',
      properties: { kind: { type: 'string' } },
      required: ['kind'],
      oneOf: [OBJECT_A, OBJECT_B],
    });
    const open = typeOfSchema({
      type: 'object',
      properties: { a: { type: 'string' }, n: { type: 'number' } },
      required: ['a'],
      additionalProperties: true,
    });
    const declared = `export type Kinds = ${kinds};\nexport type Open = ${open};\ndeclare const value: Open;`;
    const compiled = (line: string) => compileErrors(`${declared}\nexport const x: ${line};`);
    const right = [
      "Kinds = { kind: '1', a: '' }",
      "Kinds = { kind: '1', b: '' }",
      "Open = { a: '', other: [1] }",
      'string = value.a',
      'number | undefined = value.n',
      'unknown = value.other',
    ];
    expect(right.flatMap(compiled)).to.deep.equal([]);
    const wrong = ["Kinds = { b: '' }", "Kinds = { kind: '1' }", 'Open = { a: 1 }', 'number = value.a'];
    for (const line of wrong) expect(compiled(line), line).to.have.length(1);
  }).timeout(20_000);
});

/** A document with one built-in and two custom types. */
function aDocument() {
  const webhook = (own: object, post: object = {}) => ({
    post: {
      ...post,
      requestBody: {
        content: {
          'application/json': {
            schema: {
              properties: {
                payload: {
                  type: 'object',
                  properties: { eventId: {}, occurredAt: {}, workspaceId: {}, ...own },
                },
              },
            },
          },
        },
      },
    },
  });
  return {
    webhooks: {
      'user.left': webhook({ userId: { type: 'string' } }),
      'billing.plan_changed': webhook({ plan: { type: 'string' } }, { 'x-built-in': true }),
      'invoice.paid': webhook({ amount: { type: 'integer' } }),
    },
  };
}

describe('types of custom events', () => {
  it('have one entry for each custom type, without the fields of the envelope', () => {
    const { code, names } = customEventTypes(aDocument());
    expect(names).to.deep.equal(['invoice.paid', 'user.left']);
    expect(code).to.match(/ {2}readonly 'invoice\.paid': \{\n {4}readonly amount\?: number;\n {2}\};/);
    expect(code).to.not.include('billing').and.not.include('eventId');
  });
});

describe('postrider-client generate', () => {
  const directory = mkdtempSync(join(tmpdir(), 'generate-'));
  const out = join(directory, 'custom-events.ts');
  after(() => rmSync(directory, { recursive: true }));

  async function from(body: string, status = 200, file = out): Promise<string> {
    const server = createServer((_, response) => void response.writeHead(status).end(body)).listen(
      0,
      '127.0.0.1',
    );
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/openapi.json`;
    try {
      return await result(['generate', '--from', url, '--out', file]);
    } finally {
      server.close();
    }
  }
  const result = (args: readonly string[]) =>
    generate(args).catch((error: unknown) => {
      expect(error).to.be.instanceOf(GenerateError);
      return (error as Error).message;
    });

  it('writes the types and names them', async () => {
    expect(await from(JSON.stringify(aDocument()))).to.equal(`${out}: invoice.paid, user.left`);
    expect(readFileSync(out, 'utf8')).to.equal(customEventTypes(aDocument()).code);
  });

  it('says how to use it', async () => {
    expect(await generate(['--help'])).to.match(/^usage: /);
  });

  const REFUSED: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
    [
      'a server that cannot be reached',
      () => result(['generate', '--from', 'http://127.0.0.1:1/openapi.json', '--out', out]),
      /^http:\/\/127\.0\.0\.1:1\/openapi\.json cannot be reached: /,
    ],
    ['another status', () => from('{}', 404), /answers with status 404$/],
    ['what is not JSON', () => from('<html>'), /is not JSON: /],
    [
      'a document without webhooks',
      () => from('{"openapi": "3.1.0"}'),
      /cannot be used: it has no section "webhooks"/,
    ],
    [
      'a type without a payload',
      () => from('{"webhooks": {"a.b": {}}}'),
      /webhooks\["a\.b"\] has no payload/,
    ],
    [
      'a file that cannot be written',
      () => from(JSON.stringify(aDocument()), 200, join(directory, 'missing', 'x.ts')),
      /missing\/x\.ts cannot be written: ENOENT/,
    ],
    ['another command', () => result(['generat']), /the command is "generate"\nusage: /],
    ['missing options', () => result(['generate']), /--from and --out are needed\nusage: /],
    ['unknown options', () => result(['generate', '--form', 'x']), /--form.*\nusage: /s],
    [
      'no URL',
      () => result(['generate', '--from', 'openapi.json', '--out', out]),
      /--from is no URL: openapi\.json/,
    ],
  ];
  for (const [what, run, message] of REFUSED) {
    it(`names the problem with ${what}`, async () => {
      expect(await run()).to.match(message);
    });
  }
});
