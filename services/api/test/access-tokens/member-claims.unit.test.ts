import { expect } from 'chai';
import { grantedScopes, namedMember } from '../../src/access-tokens/member-claims.js';
import { CLAIMS, SETTINGS } from './settings.js';

const ADA = { slug: 'acme', email: 'ada@example.com' };
const withClaims = (claims: Partial<typeof SETTINGS.claims>) => ({
  ...SETTINGS,
  claims: { ...SETTINGS.claims, ...claims },
});

describe('claims of an access token', () => {
  it('name a member by workspace and verified address', () => {
    expect(namedMember(CLAIMS, SETTINGS)).to.deep.equal(ADA);
    expect(namedMember({ ...CLAIMS, email: ' Ada@Example.com' }, SETTINGS)).to.deep.equal(ADA);
  });

  for (const [what, claims] of [
    ['an address that is not verified', { email_verified: false }],
    ['a verification that is a text', { email_verified: 'true' }],
    ['no verification', { email_verified: undefined }],
    ['no address', { email: undefined }],
    ['several addresses', { email: ['ada@example.com', 'eve@example.com'] }],
    ['no e-mail address', { email: 'ada' }],
    ['no workspace', { postrider_workspace: undefined }],
    ['several workspaces', { postrider_workspace: ['acme', 'other'] }],
    ['no slug', { postrider_workspace: '../acme' }],
  ] as const)
    it(`name no member with ${what}`, () => {
      expect(namedMember({ ...CLAIMS, ...claims }, SETTINGS)).to.equal(null);
    });

  it('may have other names, and need no verification where the issuer verifies all', () => {
    const rules = withClaims({ workspace: 'https://acme.example/ws', email: 'upn', emailVerified: null });
    const claims = { 'https://acme.example/ws': 'acme', upn: 'ada@example.com' };
    expect(namedMember(claims, rules)).to.deep.equal(ADA);
    expect(namedMember({}, withClaims({ workspace: 'constructor' }))).to.equal(null);
  });

  for (const [what, claims, expected] of [
    ['a text', { scope: 'openid read webhook:test read' }, ['read', 'webhook:test']],
    ['a list in scp', { scp: ['write', 'profile', 7] }, ['write']],
    ['a text in scp', { scp: 'read admin' }, ['read', 'admin']],
    ['nothing', {}, []],
    ['a number', { scope: 7 }, []],
    ["scopes of members' assistants", { scope: 'assistant:read assistant:write' }, []],
  ] as const)
    it(`grant our scopes alone, from ${what}`, () => {
      expect(grantedScopes({ ...claims }, SETTINGS)).to.deep.equal(expected);
    });

  it('grant only scopes with the prefix, where there is one', () => {
    const rules = { ...SETTINGS, scopePrefix: 'postrider/' };
    expect(grantedScopes({ scope: 'postrider/read admin elsewhere/write' }, rules)).to.deep.equal(['read']);
  });
});
