import type { JSONWebKeySet } from 'jose';
import { fetchJson } from './fetch-json.js';
import type { OAuthSettings } from './oauth-config.js';
import { problemWithUrl } from './protected-url.js';

/** Time limit for fetching metadata and keys together, in milliseconds: a request waits for them. */
const LOAD_WITHIN_MS = 5_000;

/**
 * Fetches the public keys of the authorization server.
 *
 * @throws Error when they cannot be fetched
 */
export async function loadKeys({
  issuer,
  jwksUrl,
}: Pick<OAuthSettings, 'issuer' | 'jwksUrl'>): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(LOAD_WITHIN_MS);
  const url = jwksUrl ?? (await findJwksUrl(issuer, signal));
  const keys = await fetchJson(url, signal);
  if (!isKeySet(keys)) throw new Error(`${url} has no key set`);
  return keys;
}

async function findJwksUrl(issuer: string, signal: AbortSignal): Promise<string> {
  for (const url of metadataUrls(issuer)) {
    const metadata = await fetchJson(url, signal);
    if (metadata !== null) return jwksUrlOf(metadata, { issuer, url });
  }
  throw new Error(`${issuer} has no metadata`);
}

/** Where the metadata of an issuer may be, in the order given by the protocol's authorization chapter. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  const inserted = ['oauth-authorization-server', 'openid-configuration'].map(
    (name) => `${origin}/.well-known/${name}${path}`,
  );
  return path === '' ? inserted : [...inserted, `${origin}${path}/.well-known/openid-configuration`];
}

/** @throws Error if the metadata belongs to another issuer or has no URL of keys */
function jwksUrlOf(metadata: unknown, { issuer, url }: { issuer: string; url: string }): string {
  const { issuer: stated, jwks_uri: jwksUrl } = Object(metadata) as Readonly<Record<string, unknown>>;
  if (stated !== issuer) throw new Error(`${url} is the metadata of another issuer`);
  if (typeof jwksUrl !== 'string') throw new Error(`${url} names no jwks_uri`);
  const problem = problemWithUrl(jwksUrl);
  if (problem !== null) throw new Error(`the jwks_uri of ${url} ${problem}`);
  return jwksUrl;
}

function isKeySet(value: unknown): value is JSONWebKeySet {
  return Array.isArray((Object(value) as { keys?: unknown }).keys);
}
