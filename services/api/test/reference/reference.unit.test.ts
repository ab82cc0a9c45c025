import { expect } from 'chai';
import { type TestApp, testApp } from '../http/test-app.js';

describe('API reference', () => {
  let app: TestApp;
  before(async () => {
    app = await testApp();
  });
  after(() => app?.close());

  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${app.origin}${path}`, { headers });

  it('has a security policy without other hosts', async () => {
    const { status, headers } = await get('/reference');
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy')!;
    expect(policy).to.include("default-src 'none'").and.include("connect-src 'self'");
    expect(policy).to.not.match(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    expect(headers.get('x-frame-options')).to.equal('SAMEORIGIN');
    expect(headers.get('x-trace-id')).to.match(/^[0-9a-f]{32}$/);
  });

  it('serves every asset of the page', async () => {
    const page = await (await get('/reference')).text();
    const assets = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address!);
    expect(assets).to.include.members(['reference/viewer.js', 'reference/start.js']);
    for (const asset of assets.filter((address) => !address.startsWith('data:'))) {
      expect((await get(`/${asset}`)).status, asset).to.equal(200);
    }
  });

  it('serves the viewer compressed or plain, by Accept-Encoding', async () => {
    const gzipped = await get('/reference/viewer.js', { 'accept-encoding': 'gzip' });
    expect(gzipped.headers.get('content-encoding')).to.equal('gzip');
    const plain = await get('/reference/viewer.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).to.equal(null);
    expect(plain.headers.get('content-type')).to.equal('text/javascript; charset=utf-8');
    expect(await gzipped.text()).to.equal(await plain.text());
  });

  it('sets the policy for HTML only, and accepts GET only', async () => {
    for (const path of ['/openapi.json', '/healthz', '/reference/start.js', '/workspaces/acme/webhooks']) {
      expect((await get(path)).headers.get('content-security-policy'), path).to.equal(null);
    }
    const { status, headers } = await app.send('/reference', { method: 'POST' }, null);
    expect([status, headers.get('allow')]).to.deep.equal([405, 'GET, HEAD']);
  });
});
