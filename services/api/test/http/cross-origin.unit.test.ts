import { expect } from 'chai';
import { SETTINGS } from '../access-tokens/settings.js';
import { SECRETS, type TestApp, testApp } from './test-app.js';

const PAGE = 'https://chat.example.com';
const METADATA = '/.well-known/oauth-protected-resource/mcp';

describe('web pages of configured origins', () => {
  let app: TestApp;
  before(async () => {
    const authenticate = () => Promise.resolve({ credential: null, workspace: null, refusal: null });
    app = await testApp({ oauth: { settings: SETTINGS, authenticate } });
  });
  after(() => app?.close());

  const preflight = (path: string, origin: string) =>
    fetch(`${app.origin}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });

  for (const path of ['/mcp', METADATA])
    it(`may send requests to ${path}`, async () => {
      const { status, headers } = await preflight(path, PAGE);
      expect(status).to.equal(204);
      expect(headers.get('access-control-allow-origin')).to.equal(PAGE);
      expect(headers.get('access-control-allow-methods')).to.equal('GET, POST');
      expect(headers.get('access-control-allow-headers')).to.include('authorization');
      expect(headers.get('access-control-allow-credentials')).to.equal(null);
      expect(headers.get('vary')).to.match(/origin/i);
    });

  it('read refusals, and where to sign in', async () => {
    const { status, headers } = await fetch(`${app.origin}/mcp`, {
      method: 'POST',
      headers: { origin: PAGE },
    });
    expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([401, PAGE]);
    expect(headers.get('access-control-expose-headers')).to.include('www-authenticate');
    expect(headers.get('www-authenticate')).to.include(METADATA);
    const metadata = await fetch(`${app.origin}${METADATA}`, { headers: { origin: PAGE } });
    expect(metadata.headers.get('access-control-allow-origin')).to.equal(PAGE);
  });

  it('learn that nothing but POST is served', async () => {
    const { status, headers } = await fetch(`${app.origin}/mcp`, { headers: { origin: PAGE } });
    expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([405, PAGE]);
  });

  it('may not read the REST API', async () => {
    const { status, headers } = await preflight('/workspaces/acme/webhooks', PAGE);
    expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([405, null]);
  });

  for (const origin of ['https://evil.example.com', 'null', `${PAGE}.evil.example.com`])
    it(`are not those of ${origin}`, async () => {
      for (const path of ['/mcp', METADATA]) {
        const { status, headers } = await preflight(path, origin);
        expect([status, headers.get('access-control-allow-origin')]).to.deep.equal([405, null]);
        expect(headers.get('vary')).to.match(/origin/i);
      }
      const refused = await app.send('/mcp', { method: 'POST', headers: { origin } }, SECRETS.admin);
      expect(refused.headers.get('access-control-allow-origin')).to.equal(null);
    });
});
