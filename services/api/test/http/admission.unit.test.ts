import { expect } from 'chai';
import { METHODS } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import { SECRETS, type TestApp, testApp } from './test-app.js';

describe('admission', () => {
  let app: TestApp;
  before(async () => {
    app = await testApp();
  });
  beforeEach(() => app.reset());
  after(() => app?.close());

  const send: TestApp['send'] = (...asked) => app.send(...asked);

  describe('order of checks', () => {
    const broken = { method: 'POST', body: '{', headers: { 'content-type': 'text/plain' } };
    it('responds with 404 and 405 before it authenticates', async () => {
      const unknown = await send('/workspaces/acme/nothing', broken, null);
      expect([unknown.status, unknown.body.tag]).to.deep.equal([404, 'RouteNotFound']);
      const method = await send('/workspaces/acme/webhooks', { ...broken, method: 'PUT' }, null);
      expect([method.status, method.body.tag]).to.deep.equal([405, 'MethodNotAllowed']);
      expect(method.headers.get('allow')).to.equal('GET, HEAD, POST');
    });

    for (const [name, secret] of [
      ['no token', null],
      ['an unknown token', 'prt_unknown'],
      ['an expired token', SECRETS.expired],
      ['a revoked token', SECRETS.revoked],
    ] as const) {
      it(`responds with 401 to ${name}, for any workspace and body`, async () => {
        const { status, body, headers } = await send('/workspaces/nowhere/webhooks', broken, secret);
        expect([status, body.tag]).to.deep.equal([401, 'Unauthorized']);
        expect(headers.get('www-authenticate')).to.equal('Bearer');
      });
    }

    it('responds with the same 404 for an unknown and another workspace, before it checks permissions', async () => {
      for (const slug of ['nowhere', 'other', '..', '%00']) {
        const { status, body } = await send(`/workspaces/${slug}/webhooks`, broken, SECRETS.reader);
        if (slug !== '..') expect([status, body.tag]).to.deep.equal([404, 'WorkspaceNotFound']);
        expect(status).to.equal(404);
      }
    });

    it('responds with 403 before it reads the body', async () => {
      const { status, body } = await send('/workspaces/acme/webhooks', broken, SECRETS.reader);
      expect([status, body.tag]).to.deep.equal([403, 'Forbidden']);
      expect(body.detail).to.include('webhook:create');
    });

    it('accepts the bearer scheme in any case and no other scheme', async () => {
      const as = (authorization: string) =>
        send('/workspaces/acme/webhooks', { headers: { authorization } }, null);
      expect((await as(`bearer ${SECRETS.admin}`)).status).to.equal(200);
      for (const wrong of [SECRETS.admin, `Basic ${SECRETS.admin}`, 'Bearer', `Bearer ${SECRETS.admin} x`]) {
        expect((await as(wrong)).status).to.equal(401);
      }
    });

    it('ignores cookies', async () => {
      const headers = { cookie: `authorization=Bearer ${SECRETS.admin}; token=${SECRETS.admin}` };
      expect((await send('/workspaces/acme/webhooks', { headers }, null)).status).to.equal(401);
    });
  });

  describe('paths', () => {
    for (const path of [
      '/',
      '/Workspaces/acme/webhooks',
      '/workspaces/acme/webhooks/',
      '/workspaces//webhooks',
      '/workspaces/acme/webhooks/%E0%A4%A',
      '/workspaces/acme/webhooks/whe_1/',
      '/constructor',
      '/v1/workspaces/acme/webhooks',
    ]) {
      it(`are unknown: ${path}`, async () => {
        const { status, body } = await send(path);
        expect([status, body.tag]).to.deep.equal([404, 'RouteNotFound']);
        expect(app.ran).to.be.empty;
      });
    }

    it('respond to HEAD like GET, without a body', async () => {
      const answer = await send('/workspaces/acme/webhooks', { method: 'HEAD' });
      expect([answer.status, answer.body]).to.deep.equal([200, null]);
    });

    it('respond to HEAD of a stream with the headers alone, and open none', async () => {
      const { status, headers, body } = await send('/workspaces/acme/stream', { method: 'HEAD' });
      expect([status, headers.get('content-type'), body]).to.deep.equal([200, 'text/event-stream', null]);
    });

    for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      it(`refuse ${method} with 405`, async () => {
        const { status, headers } = await send('/workspaces/acme/overview', { method });
        expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
      });
    }

    for (const [path, item] of Object.entries(readDocument().paths)) {
      it(`refuse undeclared query parameters at ${path} and list the declared ones`, async () => {
        const declared = METHODS.filter((method) => item[method] !== undefined);
        const allow = declared
          .map((method) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()))
          .join(', ');
        const others = METHODS.filter((method) => !declared.includes(method)).map((method) =>
          method.toUpperCase(),
        );
        for (const method of [...others, 'OPTIONS', 'PROPFIND']) {
          const answer = await send(path.replace('{slug}', 'acme').replace(/\{\w+\}/, 'x'), { method });
          expect([answer.status, answer.body?.tag, answer.headers.get('allow')]).to.deep.equal([
            405,
            'MethodNotAllowed',
            allow,
          ]);
        }
        expect(app.ran).to.be.empty;
      });
    }

    it('decode identifiers for the operation', async () => {
      await send('/workspaces/acme/webhooks/whe%5F1');
      expect(app.ran).to.deep.include.members([
        { ...app.ran[0], operation: 'get_webhook', input: { endpointId: 'whe_1' } },
      ]);
    });
  });
});
