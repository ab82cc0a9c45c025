import { expect } from 'chai';
import { fetchJson } from '../typed-client.js';
import { DatabaseAway, SECRETS, type TestApp, testApp } from './test-app.js';

describe('HTTP responses', () => {
  let app: TestApp;
  before(async () => {
    app = await testApp();
  });
  beforeEach(() => app.reset());
  after(() => app?.close());

  const send: TestApp['send'] = (...asked) => app.send(...asked);

  describe('every response', () => {
    it('has a trace id, which continues a valid incoming one', async () => {
      const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
      const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
      const answer = await send('/workspaces/acme/webhooks', { headers });
      expect(answer.headers.get('x-trace-id')).to.equal(traceId);
      expect(app.ran[0]!.traceId).to.equal(traceId);
      const refused = await send('/workspaces/nowhere/webhooks', { headers });
      expect([refused.headers.get('x-trace-id'), refused.body.traceId]).to.deep.equal([traceId, traceId]);
    });

    for (const traceparent of [
      'nonsense',
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff-${'a'.repeat(32)}-00f067aa0ba902b7-01`,
    ]) {
      it(`starts a new trace for "${traceparent.slice(0, 12)}…"`, async () => {
        const { headers } = await send('/healthz', { headers: { traceparent } }, null);
        expect(headers.get('x-trace-id')).to.match(/^(?!0+$|a+$)[0-9a-f]{32}$/);
      });
    }

    it('is not cacheable and does not reveal the server software', async () => {
      const { headers } = await send('/workspaces/acme/webhooks');
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-powered-by')).to.equal(null);
      expect(headers.get('etag')).to.equal(null);
      expect(headers.get('access-control-allow-origin')).to.equal(null);
    });

    it('has no content type without a body', async () => {
      app.behave(() => undefined);
      const { status, headers } = await send('/workspaces/acme/webhooks/whe_1', { method: 'DELETE' });
      expect([status, headers.get('content-type')]).to.deep.equal([204, null]);
    });

    it('is application/problem+json when a request is refused', async () => {
      const { headers, body } = await send('/workspaces/nowhere/webhooks');
      expect(headers.get('content-type')).to.equal('application/problem+json');
      expect(body).to.deep.equal({
        type: 'urn:postrider:problem:WorkspaceNotFound',
        title: 'There is no such workspace',
        status: 404,
        detail: 'There is no such workspace, or the token belongs to another one.',
        tag: 'WorkspaceNotFound',
        traceId: headers.get('x-trace-id'),
      });
    });

    it('is logged as one entry, with the route instead of the path and without the token', async () => {
      await send('/workspaces/acme/webhooks/whe_1');
      const lines = app.log.lines.filter(({ facts }) => facts.event === 'http.request');
      expect(lines).to.have.length(1);
      expect(lines[0]!.facts).to.deep.include({
        method: 'GET',
        route: '/workspaces/{slug}/webhooks/{endpointId}',
        operation: 'get_webhook',
        status: 200,
        workspaceId: 'ws_acme',
        actorId: 'tok_admin',
      });
      expect(JSON.stringify(lines)).to.not.include(SECRETS.admin);
    });
  });

  describe('unexpected errors', () => {
    it('are logged in full and hidden from the caller', async () => {
      app.behave(() => {
        throw new Error('duplicate key: password=hunter2');
      });
      const { status, body } = await send('/workspaces/acme/webhooks');
      expect([status, body.tag]).to.deep.equal([500, 'Internal']);
      expect(JSON.stringify(body)).to.not.match(/hunter2|duplicate|\.js/);
      const [line] = app.log.lines.filter(({ level }) => level === 'error');
      expect(line!.facts).to.include({ event: 'http.internal_error', traceId: body.traceId });
    });

    it('become 503 with Retry-After while the database is unreachable', async () => {
      app.behave(() => {
        throw new DatabaseAway('mongo-0:27017 refused');
      });
      const { status, body, headers } = await send('/workspaces/acme/webhooks');
      expect([status, body.tag, headers.get('retry-after')]).to.deep.equal([503, 'Unavailable', '5']);
      expect(JSON.stringify(body)).to.not.include('mongo-0');
    });
  });

  describe('public routes', () => {
    it('report liveness, and the problems that prevent readiness', async () => {
      expect(await send('/healthz', {}, null)).to.deep.include({ status: 200, body: { status: 'alive' } });
      expect(await send('/readyz', {}, null)).to.deep.include({
        status: 503,
        body: { status: 'not ready', missing: ['the schema'] },
      });
    });

    it('serve the OpenAPI document to GET only', async () => {
      const { body } = await fetchJson<{ openapi: string; webhooks: object }>(`${app.origin}/openapi.json`);
      expect(body.openapi).to.equal('3.1.0');
      expect(body.webhooks).to.include.keys('billing.plan_changed', 'webhook.test_event');
      const { status, headers } = await send('/openapi.json', { method: 'POST' }, null);
      expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    });

    it('serve the AsyncAPI document to GET only', async () => {
      const { body } = await fetchJson<{ asyncapi: string }>(`${app.origin}/asyncapi.json`);
      expect(body.asyncapi).to.equal('3.0.0');
      const { status, headers } = await send('/asyncapi.json', { method: 'POST' }, null);
      expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
    });
  });
});
