import type { Credential } from './open-sessions.js';

const TOKENS = 'postrider.tokens';
const WORKSPACE = 'postrider.workspace';

/** The tokens of this tab, those of portal links among them. They survive a reload and end with the tab. */
export function storedTokens(): readonly Credential[] {
  try {
    const value: unknown = JSON.parse(read(TOKENS) ?? '[]');
    return Array.isArray(value) ? value.flatMap(credentialOf) : [];
  } catch {
    return [];
  }
}

/** Versions that stored no portal links stored the tokens alone. */
function credentialOf(value: unknown): readonly Credential[] {
  if (typeof value === 'string') return [{ token: value, source: 'sign_in' }];
  if (typeof value !== 'object' || value === null || !('token' in value) || !('source' in value)) return [];
  const { token, source } = value;
  const isCredential = typeof token === 'string' && (source === 'sign_in' || source === 'portal_link');
  return isCredential ? [{ token, source }] : [];
}

export function storeTokens(credentials: readonly Credential[]): void {
  write(TOKENS, JSON.stringify(credentials.map(({ token, source }) => ({ token, source }))));
}

/** The slug of the workspace that this tab showed. */
export function storedWorkspace(): string | null {
  return read(WORKSPACE);
}

export function storeWorkspace(slug: string | null): void {
  write(WORKSPACE, slug ?? '');
}

/** Storage can be forbidden, as in an embedded page. Then a reload asks for the token again. */
function read(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    sessionStorage.setItem(key, value);
  } catch {
    // As above.
  }
}
