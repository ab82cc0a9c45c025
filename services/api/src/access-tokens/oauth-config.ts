import { isScope, type Scope } from '@postrider/shared/domain/permission';
import { type CleanedEnv, exactly, withRule } from '@postrider/shared/runtime/config';
import { duration, words } from '@postrider/shared/runtime/variables';
import { problemWithIdentifier, problemWithUrl } from './protected-url.js';

/** Signatures with a key pair. With a shared key, whoever verifies tokens could also issue them. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const;

/** A URL, or empty. */
const urlWithout = (problemWith: (text: string) => string | null) =>
  exactly<string>('text', (text) => {
    const problem = text === '' ? null : problemWith(text);
    if (problem !== null) throw new Error(problem);
    return text;
  });
const url = urlWithout(problemWithUrl);
const identifier = urlWithout(problemWithIdentifier);

function requireName(text: string): string {
  if (!/^[\x21-\x7e]{1,200}$/.test(text)) throw new Error('is not 1 to 200 visible ASCII characters');
  return text;
}
const name = exactly<string>('text', requireName);
const optionalName = exactly<string>('text', (text) => (text === '' ? text : requireName(text)));

const algorithms = exactly<string[]>('list', (text) => {
  const named = words(text);
  const unknown = named.find((name) => !ALGORITHMS.some((known) => known === name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is none of ${ALGORITHMS.join(', ')}`);
  if (named.length === 0) throw new Error('names no algorithm');
  return named;
});

const scopes = exactly<Scope[]>('list', (text) => {
  const named = words(text);
  const unknown = named.find((name) => !isScope(name));
  if (unknown !== undefined) throw new Error(`"${unknown}" is not a scope of Postrider`);
  if (named.length === 0) throw new Error('names no scope');
  return named.filter(isScope);
});

const scopePrefix = exactly<string>('text', (text) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]{0,200}$/.test(text))
    throw new Error('is not the beginning of a scope: at most 200 visible ASCII characters without " and \\');
  return text;
});

/** Settings for access tokens of members at `/mcp`, which an authorization server issues. */
export const OAUTH = {
  MCP_URL: withRule(
    identifier({
      default: '',
      desc: 'URL of /mcp as its clients use it; needed with OAUTH_ISSUER',
      example: 'https://webhooks.example.com/mcp',
    }),
    ({ MCP_URL, OAUTH_ISSUER }) =>
      OAUTH_ISSUER && MCP_URL === '' ? 'is needed with OAUTH_ISSUER: access tokens are made for it' : null,
  ),
  OAUTH_ISSUER: withRule(
    identifier({
      default: '',
      desc: 'Authorization server whose access tokens /mcp accepts, exactly as its tokens name it; empty: none',
      example: 'https://login.example.com',
    }),
    ({ OAUTH_ISSUER }, env) => {
      const useless = OAUTH_ISSUER === '' ? OF_ISSUER.filter((name) => env[name]) : [];
      return useless.length === 0 ? null : `is needed with ${useless.join(', ')}`;
    },
  ),
  OAUTH_JWKS_URL: url({
    default: '',
    desc: "Public keys of the issuer; by default its metadata's jwks_uri",
    example: 'https://login.example.com/keys',
  }),
  OAUTH_AUDIENCE: optionalName({
    default: '',
    desc: 'Audience (aud) that access tokens must have; by default MCP_URL',
  }),
  OAUTH_WORKSPACE_CLAIM: name({
    default: 'postrider_workspace',
    desc: "Claim of access tokens with the workspace's slug",
  }),
  OAUTH_EMAIL_CLAIM: name({ default: 'email', desc: "Claim with the member's e-mail address" }),
  OAUTH_EMAIL_VERIFIED_CLAIM: optionalName({
    default: 'email_verified',
    desc: 'Claim that must be true for the address to count; empty where the issuer states verified addresses only',
  }),
  OAUTH_SCOPES: scopes({
    default: ['read'],
    desc: 'Scopes that clients request at first',
    example: 'read,webhook:test,webhook:replay',
  }),
  OAUTH_SCOPE_PREFIX: scopePrefix({
    default: '',
    desc: "What the issuer's names of our scopes begin with",
    example: 'postrider/',
  }),
  OAUTH_ALGORITHMS: algorithms({
    default: ['RS256', 'PS256', 'ES256', 'EdDSA'],
    desc: 'Signature algorithms of access tokens, with key pairs only',
  }),
  OAUTH_CLOCK_TOLERANCE: duration({ least: '0s', most: '5m' })({
    default: 30_000,
    desc: "How far the issuer's clock may be off",
  }),
};

const OF_ISSUER: readonly string[] = Object.keys(OAUTH).filter(
  (name) => name.startsWith('OAUTH_') && name !== 'OAUTH_ISSUER',
);

/** The settings of the authorization server. */
export interface OAuthSettings {
  readonly issuer: string;
  /** Null to use the URL in the issuer's metadata. */
  readonly jwksUrl: string | null;
  /** The URL of `/mcp` as its clients use it. */
  readonly resource: string;
  readonly audience: string;
  readonly claims: {
    readonly workspace: string;
    readonly email: string;
    /** Null if the issuer states only verified addresses. */
    readonly emailVerified: string | null;
  };
  readonly scopes: readonly Scope[];
  readonly scopePrefix: string;
  readonly algorithms: readonly string[];
  readonly clockToleranceMs: number;
}

/** Null if no authorization server is configured. */
export function oauthSettings(config: CleanedEnv<typeof OAUTH>): OAuthSettings | null {
  if (config.OAUTH_ISSUER === '') return null;
  return {
    issuer: config.OAUTH_ISSUER,
    jwksUrl: config.OAUTH_JWKS_URL || null,
    resource: config.MCP_URL,
    audience: config.OAUTH_AUDIENCE || config.MCP_URL,
    claims: {
      workspace: config.OAUTH_WORKSPACE_CLAIM,
      email: config.OAUTH_EMAIL_CLAIM,
      emailVerified: config.OAUTH_EMAIL_VERIFIED_CLAIM || null,
    },
    scopes: config.OAUTH_SCOPES,
    scopePrefix: config.OAUTH_SCOPE_PREFIX,
    algorithms: config.OAUTH_ALGORITHMS,
    clockToleranceMs: config.OAUTH_CLOCK_TOLERANCE,
  };
}
