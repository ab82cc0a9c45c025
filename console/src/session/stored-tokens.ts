const KEY = 'postrider.tokens';

/** The API tokens of this tab. They survive a reload and end with the tab; tokens of portal links are never stored. */
export function storedTokens(): readonly string[] {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '[]');
    return Array.isArray(value) ? value.filter((token) => typeof token === 'string') : [];
  } catch {
    // Storage can be forbidden, as in an embedded page. Then a reload asks for the token again.
    return [];
  }
}

export function storeTokens(tokens: readonly string[]): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(tokens));
  } catch {
    // As above.
  }
}
