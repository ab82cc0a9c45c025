const TOKENS = 'postrider.tokens';
const WORKSPACE = 'postrider.workspace';

/** The API tokens of this tab. They survive a reload and end with the tab; tokens of portal links are never stored. */
export function storedTokens(): readonly string[] {
  try {
    const value: unknown = JSON.parse(read(TOKENS) ?? '[]');
    return Array.isArray(value) ? value.filter((token) => typeof token === 'string') : [];
  } catch {
    return [];
  }
}

export function storeTokens(tokens: readonly string[]): void {
  write(TOKENS, JSON.stringify(tokens));
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
