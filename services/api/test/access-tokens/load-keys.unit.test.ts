import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { fetchJson } from '../../src/access-tokens/fetch-json.js';
import { loadKeys, metadataUrls } from '../../src/access-tokens/load-keys.js';

describe('keys of an authorization server', () => {
  let server: Server;
  let origin: string;
  /** What the server answers, by path; a text is the target of a redirect. */
  let pages: Record<string, object | string | number>;
  const asked: string[] = [];
  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url ?? '');
      const page = pages[request.url ?? ''] ?? 404;
      if (typeof page === 'number') response.writeHead(page).end();
      else if (typeof page === 'string') response.writeHead(302, { location: page }).end();
      else response.end(JSON.stringify(page));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    asked.length = 0;
    pages = { '/keys': KEYS };
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const KEYS = { keys: [{ kty: 'EC', kid: 'k1' }] };
  const OAUTH_METADATA = '/.well-known/oauth-authorization-server';
  const OPENID_METADATA = '/.well-known/openid-configuration';
  const load = (jwksUrl: string | null = null, issuer = origin) => loadKeys({ issuer, jwksUrl });
  const failure = (loading: Promise<unknown>) => loading.then(() => 'loaded', String);

  it('are at a configured URL', async () => {
    expect(await load(`${origin}/keys`)).to.deep.equal(KEYS);
    expect(asked).to.deep.equal(['/keys']);
  });

  it('are found by the metadata of OAuth, or else of OpenID Connect', async () => {
    pages[OPENID_METADATA] = { issuer: origin, jwks_uri: `${origin}/keys` };
    expect(await load()).to.deep.equal(KEYS);
    expect(asked).to.deep.equal([OAUTH_METADATA, OPENID_METADATA, '/keys']);
  });

  it('may belong to one issuer of several at a host', () => {
    expect(metadataUrls('https://login.example.com/tenant1')).to.deep.equal([
      `https://login.example.com${OAUTH_METADATA}/tenant1`,
      `https://login.example.com${OPENID_METADATA}/tenant1`,
      `https://login.example.com/tenant1${OPENID_METADATA}`,
    ]);
    expect(metadataUrls('https://login.example.com/')).to.have.length(2);
  });

  it('are not taken from the metadata of another issuer', async () => {
    pages[OAUTH_METADATA] = { issuer: 'https://login.example.com', jwks_uri: `${origin}/keys` };
    expect(await failure(load())).to.include('another issuer');
  });

  it('are not fetched over an unprotected connection', async () => {
    pages[OAUTH_METADATA] = { issuer: origin, jwks_uri: 'http://login.example.com/keys' };
    expect(await failure(load())).to.include('not an https:// URL');
  });

  it('are not fetched by a redirect', async () => {
    pages['/moved'] = `${origin}/keys`;
    expect(await failure(load(`${origin}/moved`))).to.include('fetch failed');
  });

  it('are missing where the server has none, or fails', async () => {
    expect(await failure(load())).to.include('no metadata');
    expect(await failure(load(`${origin}/nowhere`))).to.include('no key set');
    pages['/keys'] = 500;
    expect(await failure(load(`${origin}/keys`))).to.include('the status 500');
  });

  it('are limited in size', async () => {
    pages['/keys'] = { keys: ['x'.repeat(300_000)] };
    expect(await failure(load(`${origin}/keys`))).to.include('more than 262144 bytes');
  });

  it('are given up at the deadline', async () => {
    const given = new AbortController();
    const loading = failure(fetchJson(`${origin}/keys`, given.signal));
    given.abort(new Error('too late'));
    expect(await loading).to.include('too late');
  });
});
