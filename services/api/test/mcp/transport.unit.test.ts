import { expect } from 'chai';
import type { Problem } from '../../src/contract/problem.js';
import { DatabaseAway, SECRETS } from '../http/test-app.js';
import { fetchJson } from '../typed-client.js';
import { assistant } from './mcp-client.js';
import { serveApp } from './serve-app.js';

const ACCEPT = { accept: 'application/json, text/event-stream' };

/** The response to a call. */
interface Answer {
  readonly result: { readonly isError?: boolean; readonly content: [{ readonly text: string }] };
}

describe('MCP transport', () => {
  const served = serveApp();

  const post = (body: unknown, secret: string | null = SECRETS.admin, headers: Record<string, string> = {}) =>
    served.app.send(
      '/mcp',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...ACCEPT, ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      },
      secret,
    );
  const message = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params });
  const callOf = (name: string, given?: object) =>
    message('tools/call', { name, ...(given && { arguments: given }) });

  for (const [name, secret] of [
    ['no token', null],
    ['an unknown token', 'prt_unknown'],
    ['an expired token', SECRETS.expired],
    ['a revoked token', SECRETS.revoked],
  ] as const) {
    it(`responds with 401 to ${name}, before it reads the body`, async () => {
      const { status, headers, body } = await post('{', secret);
      expect([status, body.tag]).to.deep.equal([401, 'Unauthorized']);
      expect(headers.get('www-authenticate')).to.equal('Bearer');
      expect(headers.get('x-trace-id')).to.equal(body.traceId);
    });
  }

  for (const method of ['GET', 'DELETE', 'PUT', 'OPTIONS']) {
    it(`responds with 405 to ${method}`, async () => {
      const { status, headers, body } = await served.app.send('/mcp', { method, headers: ACCEPT });
      expect([status, body.tag, headers.get('allow')]).to.deep.equal([405, 'MethodNotAllowed', 'POST']);
    });
  }

  it('works without session and initialization', async () => {
    const { status, headers, body } = await post(message('tools/list'));
    expect(status).to.equal(200);
    expect(headers.get('mcp-session-id')).to.equal(null);
    expect(headers.get('x-trace-id')).to.match(/^[0-9a-f]{32}$/);
    expect(body).to.have.nested.property('result.tools').that.has.length.greaterThan(10);
  });

  it('continues an incoming trace in the operation', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;
    const { headers } = await post(callOf('list_webhooks'), SECRETS.admin, { traceparent });
    expect(headers.get('x-trace-id')).to.equal(traceId);
    expect(served.app.ran[0]!.traceId).to.equal(traceId);
  });

  it('logs one entry with the operation and without the token', async () => {
    await post(callOf('get_webhook', { endpointId: 'whe_1' }));
    const [line] = served.app.log.lines.filter(({ facts }) => facts.event === 'http.request');
    expect(line!.facts).to.include({
      route: '/mcp',
      operation: 'get_webhook',
      status: 200,
      actorId: 'tok_admin',
    });
    expect(JSON.stringify(served.app.log.lines)).to.not.include(SECRETS.admin);
  });

  for (const [name, body, status] of [
    ['invalid JSON', '{"jsonrpc"', 400],
    ['empty', '', 400],
    ['a batch of messages', [message('tools/list'), message('tools/list')], 400],
    ['nested ten thousand levels deep', '['.repeat(10_000) + ']'.repeat(10_000), 400],
    ['not JSON-RPC', { hello: 'world' }, 400],
    ['a number', '7', 400],
    ['too large', JSON.stringify({ a: 'x'.repeat(270_000) }), 413],
  ] as const) {
    it(`responds with ${status} to a body that is ${name}`, async () => {
      const answer = await post(body);
      expect(answer.status).to.equal(status);
      expect(JSON.stringify(answer.body)).to.not.match(/node_modules|\.js:\d|at \w+ \(/);
      expect(served.app.ran).to.be.empty;
    });
  }

  it('refuses a call that is larger than a body of its operation may be', async () => {
    const large = 'x'.repeat(64 * 1024);
    const { tag, status } = await served.admin.refused('create_webhook', { description: large });
    expect([tag, status]).to.deep.equal(['PayloadTooLarge', 413]);
    expect(served.app.ran).to.be.empty;
    const published = await post(callOf('publish_event', { type: 'a.b', data: { large } }));
    expect(JSON.stringify(published.body)).to.not.include('PayloadTooLarge');
  });

  it('responds with 415 to a content type other than application/json', async () => {
    const { status } = await post('{}', SECRETS.admin, { 'content-type': 'text/plain' });
    expect(status).to.equal(415);
  });

  it('refuses unknown tools and methods', async () => {
    const tool = await post(callOf('drop_everything'));
    expect(tool.body).to.have.nested.property('error.code', -32602);
    const method = await post(message('tools/destroy'));
    expect(method.body).to.have.nested.property('error.code', -32601);
    expect(served.app.ran).to.be.empty;
  });

  for (const [method, params] of [
    ['initialize', undefined],
    ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo: { name: 'a', version: '1' } }],
    ['tools/call', undefined],
    ['tools/call', { arguments: {} }],
    ['tools/call', { name: 7 }],
    ['prompts/get', {}],
    ['resources/read', {}],
    ['tools/list', { cursor: 5 }],
    ['resources/list', { cursor: 5 }],
    ['resources/templates/list', { cursor: 5 }],
    ['prompts/list', { cursor: 5 }],
  ] as const) {
    it(`reports invalid parameters of ${method}: ${JSON.stringify(params)}`, async () => {
      const { status, body } = await post({ jsonrpc: '2.0', id: 'a', method, params });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ jsonrpc: '2.0', id: 'a' });
      expect(body).to.have.nested.property('error.code', -32602);
      expect(body)
        .to.have.nested.property('error.message')
        .that.matches(/^params\b/);
      expect(served.app.ran).to.be.empty;
    });
  }

  it('handles requests that ask for a task, which it does not support, as usual', async () => {
    const task = { ttl: 60_000 };
    const listed = await post(message('tools/list', { task }));
    expect(listed.body).to.have.nested.property('result.tools');
    const called = await post(message('tools/call', { name: 'list_webhooks', task }));
    expect(called.body).to.have.nested.property('result.structuredContent');
  });

  const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
  const clientInfo = { name: 'a', version: '1', icons: numbers(20_000) };
  for (const [where, body] of [
    ['parameters', message('initialize', { protocolVersion: '1', capabilities: {}, clientInfo })],
    ['unknown fields', { ...message('tools/list'), ...numbers(5_000) }],
  ] as const) {
    it(`refuses a message with thousands of values in ${where}, with a short answer`, async () => {
      const { status, body: answer } = await post(body);
      expect(JSON.stringify(answer).length).to.be.below(1_000);
      expect([status, answer.tag]).to.deep.equal([400, 'InvalidRequest']);
    });
  }

  it('reports at most 50 mistakes in the parameters of a message', async () => {
    const icons = numbers(900);
    const { body } = await post(
      message('initialize', { protocolVersion: '1', capabilities: {}, clientInfo: { ...clientInfo, icons } }),
    );
    const { error } = body as unknown as { readonly error: { readonly message: string } };
    expect(error.message.split('; ')).to.have.length(50);
  });

  it('accepts thousands of values in the arguments of a tool', async () => {
    const { body } = await post(callOf('publish_event', { type: 'a.b', data: { numbers: numbers(20_000) } }));
    expect(body).to.have.nested.property('result.content');
  });

  for (const accept of ['*/*', 'application/*', 'application/json', 'text/event-stream, */*;q=0.1']) {
    it(`responds with JSON to a client that accepts ${accept}`, async () => {
      const { status, headers } = await post(message('tools/list'), SECRETS.admin, { accept });
      expect([status, headers.get('content-type')]).to.deep.equal([200, 'application/json']);
    });
  }

  for (const accept of ['text/event-stream', 'text/html', 'application/json;q=0']) {
    it(`responds with 406 to a client that accepts only ${accept}`, async () => {
      const { status } = await post(message('tools/list'), SECRETS.admin, { accept });
      expect(status).to.equal(406);
      expect(served.app.ran).to.be.empty;
    });
  }

  describe('invalid arguments are reported at once', () => {
    const mistakesOf = async (name: string, given: Record<string, unknown>) => {
      const problem = await served.admin.refused(name, given);
      expect([problem.tag, problem.status]).to.deep.equal(['InvalidRequest', 400]);
      expect(served.app.ran).to.be.empty;
      return problem.errors?.map(({ path }) => path).sort();
    };

    it('for missing, unknown and wrong ones', async () => {
      const given = { eventTypes: ['nonsense'], enabled: 'yes', slug: 'other' };
      expect(await mistakesOf('create_webhook', given)).to.deep.equal([
        'enabled',
        'eventTypes[0]',
        'slug',
        'url',
      ]);
    });

    it('for impossible dates, limits that are not numbers and unknown filter values', async () => {
      const given = {
        endpointId: 'whe_1',
        createdAfter: '2026-02-30T00:00:00Z',
        limit: 'abc',
        httpStatus: 'lost',
      };
      expect(await mistakesOf('list_webhook_deliveries', given)).to.deep.equal([
        'createdAfter',
        'httpStatus',
        'limit',
      ]);
    });

    it('for texts that cannot be stored', async () => {
      expect(await mistakesOf('get_webhook', { endpointId: 'whe_\u0000' })).to.deep.equal(['endpointId']);
    });

    for (const [given, path] of [
      ['[1]', 'arguments'],
      ['null', 'arguments'],
      ['"text"', 'arguments'],
      ['{"__proto__":{"url":"https://hooks.example.com/"}}', '__proto__'],
      ['{"constructor":1}', 'constructor'],
    ] as const) {
      it(`for arguments like ${given}`, async () => {
        const head =
          '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_webhooks","arguments":';
        const { body } = await post(`${head}${given}}}`);
        const { isError, content } = (body as unknown as Answer).result;
        expect(isError).to.equal(true);
        const problem: Problem = JSON.parse(content[0].text);
        expect(problem.errors?.map((mistake) => mistake.path)).to.deep.equal([path]);
        expect(served.app.ran).to.be.empty;
      });
    }

    it('except for limits, which may be any number', async () => {
      for (const limit of ['1e999', '-5', '0', '2.5', '1000000000']) {
        const { body } = await post(
          `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_webhooks","arguments":{"limit":${limit}}}}`,
        );
        expect(body, limit).to.have.nested.property('result.structuredContent');
      }
    });
  });

  it('hides unexpected errors, and reports that the database is unreachable', async () => {
    served.app.behave(() => {
      throw new Error('password=hunter2');
    });
    const internal = await served.admin.refused('list_webhooks');
    expect(internal.tag).to.equal('Internal');
    expect(JSON.stringify(internal)).to.not.include('hunter2');
    expect(served.app.log.lines.some(({ level }) => level === 'error')).to.equal(true);
    served.app.behave(() => {
      throw new DatabaseAway('mongo-0');
    });
    expect((await served.admin.refused('list_webhooks')).tag).to.equal('Unavailable');
  });

  it('handles a caller that disconnects before the tool has finished', async () => {
    let finish = (_: object) => {};
    const started = new Promise<void>((resolve) => {
      served.app.behave(() => {
        resolve();
        return new Promise((done) => {
          finish = done;
        });
      });
    });
    const gone = new AbortController();
    const asking = fetch(`${served.app.origin}/mcp`, {
      method: 'POST',
      signal: gone.signal,
      headers: {
        authorization: `Bearer ${SECRETS.admin}`,
        'content-type': 'application/json',
        ...ACCEPT,
      },
      body: JSON.stringify(callOf('list_webhooks')),
    }).catch((error: Error) => error.name);
    await started;
    gone.abort();
    expect(await asking).to.equal('AbortError');
    finish({ items: [], nextCursor: null });
    served.app.reset();
    expect((await post(callOf('list_webhooks'))).status).to.equal(200);
    expect(served.app.log.lines.filter(({ level }) => level === 'error')).to.be.empty;
  });

  it('returns the same refusals as the REST API', async () => {
    const reader = await assistant(served.app.origin, SECRETS.reader);
    const { traceId: _, ...byTool } = await reader.refused('delete_webhook', { endpointId: 'whe_1' });
    const { body } = await served.app.send(
      '/workspaces/acme/webhooks/whe_1',
      { method: 'DELETE' },
      SECRETS.reader,
    );
    const { traceId: __, ...byRoute } = body;
    expect(byTool).to.deep.equal(byRoute);
    expect(byTool.tag).to.equal('Forbidden');
    await reader.close();
  });

  it('refuses web pages of origins that are not configured', async () => {
    const from = (origin: string) => post(message('tools/list'), SECRETS.admin, { origin });
    expect((await from('https://chat.example.com')).status).to.equal(200);
    for (const origin of ['https://evil.example.com', 'http://chat.example.com', 'null', served.app.origin]) {
      const { status, body } = await from(origin);
      expect([status, body.tag], origin).to.deep.equal([403, 'Forbidden']);
    }
  });

  it('serves one path only', async () => {
    const { status } = await fetchJson(`${served.app.origin}/mcp/tools`, { method: 'POST' });
    expect(status).to.equal(404);
  });
});
