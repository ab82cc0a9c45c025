import { expect } from 'chai';
import { createChallenge, createMetadataRoutes } from '../../src/access-tokens/resource-metadata.js';
import { InsufficientScope } from '../../src/domain/insufficient-scope.js';
import { Refusal } from '../../src/domain/refusal.js';
import { SETTINGS } from './settings.js';

const METADATA = 'https://webhooks.example.com/.well-known/oauth-protected-resource/mcp';

describe('metadata of the protected resource', () => {
  it('is served at the root and with the path of /mcp', () => {
    expect([...createMetadataRoutes(SETTINGS).keys()]).to.deep.equal([
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
    ]);
  });

  it('is served with the path that a proxy gives to /mcp', () => {
    const resource = 'https://example.com/postrider/mcp';
    expect([...createMetadataRoutes({ ...SETTINGS, resource }).keys()]).to.include(
      '/.well-known/oauth-protected-resource/postrider/mcp',
    );
  });

  it('is not served without an authorization server', () => {
    expect(createMetadataRoutes(null).size).to.equal(0);
  });
});

describe('challenge of a refusal', () => {
  const challenge = createChallenge({ ...SETTINGS, scopePrefix: 'postrider/' });
  const unauthorized = new Refusal('Unauthorized', 'No.');

  it('names the metadata and the first scopes', () => {
    expect(challenge(unauthorized, { isTokenSent: false })).to.equal(
      `Bearer resource_metadata="${METADATA}", scope="postrider/read"`,
    );
  });

  it('calls a token that was sent invalid', () => {
    expect(challenge(unauthorized, { isTokenSent: true })).to.equal(
      `Bearer error="invalid_token", resource_metadata="${METADATA}", scope="postrider/read"`,
    );
  });

  it('names the scopes that are needed', () => {
    expect(challenge(new InsufficientScope(['read', 'webhook:test']), { isTokenSent: true })).to.equal(
      `Bearer error="insufficient_scope", scope="postrider/read postrider/webhook:test", resource_metadata="${METADATA}"`,
    );
  });

  it('is absent where another token would change nothing', () => {
    for (const tag of ['NotAMember', 'Forbidden', 'RateLimited', 'Unavailable'] as const)
      expect(challenge(new Refusal(tag, 'No.'), { isTokenSent: true }), tag).to.equal(null);
  });
});
