import { expect } from 'chai';
import { readDocument } from '../../src/document/read-document.js';
import { SECRETS, type TestApp, testApp } from './test-app.js';

const CREATE = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };

describe('request bodies', () => {
  let app: TestApp;
  before(async () => {
    app = await testApp();
  });
  beforeEach(() => app.reset());
  after(() => app?.close());

  const send: TestApp['send'] = (...asked) => app.send(...asked);
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    send('/workspaces/acme/webhooks', {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const mistakes = async (body: unknown) => {
    const answer = await post(typeof body === 'string' ? body : JSON.stringify(body));
    expect(answer.status).to.equal(400);
    expect(app.ran).to.be.empty;
    return Object.fromEntries((answer.body.errors ?? []).map(({ path, message }) => [path, message]));
  };

  it('report all invalid fields at once', async () => {
    expect(
      await mistakes({
        url: 7,
        eventTypes: ['nonsense', ['billing.plan_changed']],
        description: 'x'.repeat(501),
        enabled: 'true',
        colour: 'red',
        size: 1,
      }),
    ).to.have.all.keys('url', 'eventTypes[0]', 'eventTypes[1]', 'description', 'enabled', 'colour', 'size');
  });

  it('report missing and empty fields', async () => {
    expect(await mistakes({})).to.deep.equal({ url: 'is required', eventTypes: 'is required' });
    expect(await mistakes({ ...CREATE, eventTypes: [] })).to.deep.equal({ eventTypes: 'must not be empty' });
  });

  it('are refused with sentences, without regular expressions', async () => {
    const malformed = await mistakes({ ...CREATE, eventTypes: ['Invoice Paid'] });
    expect(malformed['eventTypes[0]']).to.match(
      /^must be an event type like billing\.plan_changed, a prefix like /,
    );
    const many = Array.from({ length: 501 }, () => 'billing.plan_changed');
    expect(await mistakes({ ...CREATE, eventTypes: many })).to.deep.equal({
      eventTypes: 'must have at most 500 items',
    });
  });

  it('are refused with a date that does not exist', async () => {
    const body = (day: string) =>
      JSON.stringify({ name: 'ci', scopes: ['read'], expiresAt: `${day}T00:00:00.000Z` });
    const make = (day: string) =>
      send('/workspaces/acme/api-tokens', {
        method: 'POST',
        body: body(day),
        headers: { 'content-type': 'application/json' },
      });
    expect((await make('2028-02-29')).status).to.equal(201);
    for (const day of ['2026-02-30', '2027-02-29', '2026-04-31']) {
      expect((await make(day)).body.errors?.map(({ path }) => path)).to.deep.equal(['expiresAt']);
    }
  });

  for (const [name, body] of Object.entries({
    'a list': '[]',
    null: 'null',
    text: '"text"',
    'broken JSON': '{"url":',
    'two values': '{}{}',
    'a byte order mark': '\uFEFF{}',
    '10,000 levels': `${'['.repeat(10_000)}${']'.repeat(10_000)}`,
    '10,000 levels in a field': `{"url":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`,
  })) {
    it(`are refused with 400 for ${name}`, async () => {
      expect(await mistakes(body)).to.have.all.keys('body');
    });
  }

  it('are refused with 4xx and a tag for any nesting, by every operation and at /mcp', async () => {
    const operations = Object.entries(readDocument().paths).flatMap(([path, methods]) =>
      Object.entries(methods as Record<string, object>)
        .filter(([, operation]) => 'requestBody' in operation)
        .map(([method]) => ({ path: path.replaceAll(/\{\w+\}/g, 'acme'), method: method.toUpperCase() })),
    );
    expect(operations.length).to.be.greaterThan(10);
    const nested = (open: string, close: string, depth: number) => open.repeat(depth) + close.repeat(depth);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    for (const { path, method } of [...operations, { path: '/mcp', method: 'POST' }])
      for (const depth of [33, 1_000, 30_000]) {
        const list = nested('[', ']', depth);
        for (const body of [
          list,
          `{"filter":${list}}`,
          `{"events":[{"type":"a.b","data":${list}}]}`,
          JSON.stringify({ ...call, params: { name: 'create_webhook', arguments: 'LIST' } }).replace(
            '"LIST"',
            list,
          ),
        ]) {
          const headers = {
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
          };
          const answer = await send(path, { method, body, headers });
          expect(answer.status, `${method} ${path} ${depth}`).to.be.within(400, 499);
          expect(answer.body.tag, `${method} ${path} ${depth}`).to.be.oneOf([
            'InvalidRequest',
            'PayloadTooLarge',
          ]);
        }
      }
    expect(app.ran).to.be.empty;
    expect(app.log.lines.filter(({ level }) => level === 'error')).to.be.empty;
  }).timeout(30_000);

  it('may contain any number of brackets in strings', async () => {
    const description = `\\"${'['.repeat(400)}`;
    expect((await post(JSON.stringify({ ...CREATE, description }))).status).to.equal(201);
  });

  it('are refused with __proto__, constructor and prototype as unknown fields', async () => {
    const body = `{"__proto__":{"enabled":true},"constructor":{},"prototype":{},"url":"https://a.example","eventTypes":["api_token.created"]}`;
    expect(await mistakes(body)).to.have.all.keys('__proto__', 'constructor', 'prototype');
    expect(({} as Record<string, unknown>).enabled).to.equal(undefined);
  });

  it('are validated with the last of duplicate fields', async () => {
    const fields = (...fields: string[]) =>
      `{"url":"https://a.example","eventTypes":["api_token.created"],${fields}}`;
    expect((await post(fields('"enabled":"no"', '"enabled":false'))).status).to.equal(201);
    expect(app.ran[0]!.input).to.include({ enabled: false });
    app.reset();
    expect(await mistakes(fields('"enabled":false', '"enabled":"no"'))).to.have.all.keys('enabled');
  });

  it('are refused with NUL characters and lone surrogates, with the name of the field', async () => {
    expect(
      await mistakes(
        '{"url":"https://a.example","eventTypes":["api_token.created"],"description":"a\\u0000b"}',
      ),
    ).to.have.all.keys('description');
    expect(
      await mistakes('{"url":"https://a.example/\\ud800","eventTypes":["api_token.created"]}'),
    ).to.have.all.keys('url');
  });

  it('are refused when they are not UTF-8', async () => {
    const bytes = Buffer.from(JSON.stringify({ ...CREATE, description: '?' }));
    bytes[bytes.indexOf('?')] = 0xff;
    const { status, body } = await post(bytes);
    expect([status, body.detail]).to.deep.equal([400, 'The request body is not valid UTF-8.']);
  });

  it('are accepted up to 64 KiB', async () => {
    const padded = (size: number) => {
      const text = JSON.stringify(CREATE);
      return `${text.slice(0, -1)}${' '.repeat(size - text.length)}}`;
    };
    expect((await post(padded(64 * 1024))).status).to.equal(201);
    const { status, body } = await post(padded(64 * 1024 + 1));
    expect([status, body.tag]).to.deep.equal([413, 'PayloadTooLarge']);
    expect(app.ran).to.have.length(1);
  });

  for (const type of [
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    'application/json; version=1; charset=utf-16',
    'application/jsonx',
    'json',
    '',
  ]) {
    it(`are refused with 415 for the content type "${type}"`, async () => {
      const { status, body } = await post(new TextEncoder().encode(JSON.stringify(CREATE)), {
        'content-type': type,
      });
      expect([status, body.tag]).to.deep.equal([415, 'UnsupportedMediaType']);
    });
  }

  it('are refused with 415 for a content type that takes long to parse', async () => {
    const type = `application/json; a="${'x'.repeat(300)}"`;
    const { status, body } = await post(JSON.stringify(CREATE), { 'content-type': type });
    expect([status, body.tag]).to.deep.equal([415, 'UnsupportedMediaType']);
  });

  it('are accepted with the charset utf-8 and with unknown parameters', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'Application/JSON;charset="UTF-8"',
      'application/json; version=1',
      'application/json; profile="a;b"; charset=utf-8;',
    ]) {
      expect((await post(JSON.stringify(CREATE), { 'content-type': type })).status).to.equal(201);
    }
  });

  for (const encoding of ['gzip', 'br', 'deflate', 'made-up']) {
    it(`are refused with 415 when compressed with ${encoding}`, async () => {
      const { status, body } = await post('x', { 'content-encoding': encoding });
      expect([status, body.tag]).to.deep.equal([415, 'UnsupportedMediaType']);
    });
  }

  it('are required where declared, and refused elsewhere', async () => {
    const without = await send('/workspaces/acme/webhooks', { method: 'POST' });
    expect(without.body.errors).to.deep.equal([{ path: 'body', message: 'is required' }]);
    const rotate = (body: string) =>
      send('/workspaces/acme/webhooks/whe_1/rotate-secret', {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json' },
      });
    expect((await rotate('{}')).status).to.equal(200);
    const refused = await rotate('{"secret":"mine","days":7}');
    expect([refused.status, refused.body.errors]).to.deep.equal([
      400,
      ['secret', 'days'].map((path) => ({ path, message: 'is not a known field' })),
    ]);
    expect((await rotate('[]')).body.errors).to.deep.equal([{ path: 'body', message: 'must be an object' }]);
  });

  it('are read from DELETE as from the other methods that declare none', async () => {
    app.behave(() => undefined);
    const remove = (body: RequestInit['body'], headers: Record<string, string> = {}) =>
      send('/workspaces/acme/webhooks/whe_1', { method: 'DELETE', ...(body != null && { body }), headers });
    const json = { 'content-type': 'application/json' };
    for (const { status } of [await remove(null), await remove(null, json), await remove('{}', json)])
      expect(status).to.equal(204);
    expect(app.ran).to.have.length(3);
    const refused = await remove('{"force":true}', json);
    expect([refused.status, refused.body.errors]).to.deep.equal([
      400,
      [{ path: 'force', message: 'is not a known field' }],
    ]);
    const refusals = [
      await remove('{', json),
      await remove(' '.repeat(64 * 1024 + 1), json),
      await remove('{}', { 'content-type': 'text/plain' }),
      await remove('x', { 'content-encoding': 'gzip', ...json }),
    ];
    expect(refusals.map(({ status }) => status)).to.deep.equal([400, 413, 415, 415]);
    expect(app.ran).to.have.length(3);
  });

  it('are not repeated at length in refusals', async () => {
    const { body } = await post(JSON.stringify({ ...CREATE, ['x'.repeat(60_000)]: 1 }));
    expect(JSON.stringify(body).length).to.be.below(1_000);
    const many = await post(
      JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`f${n}`, n]))),
    );
    expect(many.body.errors!.length).to.be.within(1, 60);
  });

  // Regression: V8 hashes strings beyond 16,383 characters by their length, so that each path was compared with all others.
  const LONG = 'a'.repeat(16_400);
  for (const [what, path, secret, text, mistake] of [
    [
      'numbers beyond the range, without a token',
      '/workspaces/acme/invitations/inv_1/accept',
      null,
      `{"acceptToken":"t","${LONG}":[${Array(5_000).fill('9e999')}]}`,
      LONG,
    ],
    [
      'objects that are no conditions',
      '/workspaces/acme/webhooks',
      SECRETS.admin,
      JSON.stringify({ ...CREATE, filter: { [LONG]: Array(5_000).fill({}) } }),
      `filter.${LONG}`,
    ],
    [
      'unknown conditions',
      '/workspaces/acme/webhooks',
      SECRETS.admin,
      `{"url":"https://a.example","eventTypes":["api_token.created"],"filter":{"${LONG}":[{${Array.from({ length: 4_000 }, (_, n) => `"c${n}":1`)}}]}}`,
      `filter.${LONG}`,
    ],
  ] as const)
    it(`are refused at once with thousands of mistakes below a long name: ${what}`, async () => {
      const headers = { 'content-type': 'application/json' };
      const { status, body } = await send(path, { method: 'POST', body: text, headers }, secret);
      expect([status, body.tag, body.errors?.length]).to.deep.equal([400, 'InvalidRequest', 50]);
      expect(body.errors?.at(-1)?.path).to.equal(`${mistake.slice(0, 100)}…`);
    }).timeout(10_000);
});
