import type { OAuthSettings } from '../../src/access-tokens/oauth-config.js';

/** As they are by default. */
export const SETTINGS: OAuthSettings = {
  issuer: 'https://login.example.com',
  jwksUrl: null,
  resource: 'https://webhooks.example.com/mcp',
  audience: 'https://webhooks.example.com/mcp',
  claims: { workspace: 'postrider_workspace', email: 'email', emailVerified: 'email_verified' },
  scopes: ['read'],
  scopePrefix: '',
  algorithms: ['RS256', 'PS256', 'ES256', 'EdDSA'],
  clockToleranceMs: 30_000,
};
export const NOW = new Date('2026-03-01T12:00:00.000Z');
export const NOW_S = NOW.getTime() / 1_000;

/** The claims of a token that is valid at `NOW`. */
export const CLAIMS = {
  iss: SETTINGS.issuer,
  aud: SETTINGS.audience,
  sub: 'user-1',
  iat: NOW_S - 60,
  exp: NOW_S + 600,
  scope: 'openid read webhook:test',
  email: 'ada@example.com',
  email_verified: true,
  postrider_workspace: 'acme',
};
