import { type ConfigurationError, readConfig } from '@postrider/shared/runtime/config';
import { expect } from 'chai';
import { OAUTH, oauthSettings } from '../../src/access-tokens/oauth-config.js';
import { SETTINGS } from './settings.js';

const ON = { OAUTH_ISSUER: SETTINGS.issuer, MCP_URL: SETTINGS.resource };

describe('settings of the authorization server', () => {
  const problems = (env: Record<string, string>) => {
    try {
      readConfig(env, OAUTH);
      return [];
    } catch (error) {
      return (error as ConfigurationError).problems.map((problem) => problem.split(':')[0]);
    }
  };

  it('are absent by default', () => {
    expect(oauthSettings(readConfig({}, OAUTH))).to.equal(null);
  });

  it('have defaults besides the issuer and the URL of /mcp', () => {
    expect(oauthSettings(readConfig(ON, OAUTH))).to.deep.equal(SETTINGS);
  });

  it('may name an audience that is no URL, and keys with a query', () => {
    const env = {
      ...ON,
      OAUTH_AUDIENCE: 'api://postrider',
      OAUTH_JWKS_URL: 'https://login.example.com/keys?p=1',
    };
    expect(oauthSettings(readConfig(env, OAUTH))).to.include({
      audience: 'api://postrider',
      jwksUrl: 'https://login.example.com/keys?p=1',
    });
  });

  it('may name algorithms with key pairs, a prefix of scopes, and no claim of verified addresses', () => {
    const algorithms = ['RS', 'PS', 'ES'].flatMap((family) =>
      [256, 384, 512].map((bits) => `${family}${bits}`),
    );
    const env = {
      ...ON,
      OAUTH_ALGORITHMS: [...algorithms, 'EdDSA', 'Ed25519'].join(','),
      OAUTH_SCOPE_PREFIX: 'postrider/',
      OAUTH_EMAIL_VERIFIED_CLAIM: '',
    };
    expect(oauthSettings(readConfig(env, OAUTH))).to.deep.equal({
      ...SETTINGS,
      algorithms: [...algorithms, 'EdDSA', 'Ed25519'],
      scopePrefix: 'postrider/',
      claims: { ...SETTINGS.claims, emailVerified: null },
    });
  });

  it('need the URL of /mcp with an issuer, and an issuer with all others', () => {
    expect(problems({ OAUTH_ISSUER: SETTINGS.issuer })).to.deep.equal(['MCP_URL']);
    expect(problems({ OAUTH_AUDIENCE: 'x', OAUTH_SCOPES: 'read' })).to.deep.equal(['OAUTH_ISSUER']);
    expect(problems({ MCP_URL: SETTINGS.resource })).to.deep.equal([]);
  });

  for (const [name, value] of [
    ['OAUTH_ISSUER', 'http://login.example.com'],
    ['OAUTH_ISSUER', 'https://login.example.com/?tenant=1'],
    ['OAUTH_ISSUER', 'https://login.example.com/#a'],
    ['OAUTH_ISSUER', 'https://ada:secret@login.example.com'],
    ['OAUTH_ISSUER', 'login.example.com'],
    ['OAUTH_ISSUER', 'http://localhost.example.com'],
    ['MCP_URL', 'http://webhooks.example.com/mcp'],
    ['OAUTH_JWKS_URL', 'http://login.example.com/keys'],
    ['OAUTH_ALGORITHMS', 'HS256'],
    ['OAUTH_ALGORITHMS', 'RS256,none'],
    ['OAUTH_ALGORITHMS', ','],
    ['OAUTH_CLOCK_TOLERANCE', '6m'],
    ['OAUTH_SCOPES', 'assistant:read'],
    ['OAUTH_SCOPES', ','],
    ['OAUTH_SCOPE_PREFIX', 'a "b'],
    ['OAUTH_WORKSPACE_CLAIM', 'two words'],
    ['OAUTH_EMAIL_CLAIM', 'a'.repeat(201)],
    ['OAUTH_CLOCK_TOLERANCE', '6m'],
  ] as const)
    it(`refuse ${name}=${value.slice(0, 40)}`, () => {
      expect(problems({ ...ON, [name]: value })).to.deep.equal([name]);
    });

  for (const issuer of ['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000/realm'])
    it(`accept ${issuer}, which stays on the machine`, () => {
      expect(problems({ ...ON, OAUTH_ISSUER: issuer })).to.deep.equal([]);
    });
});
