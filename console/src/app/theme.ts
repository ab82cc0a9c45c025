export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'postrider.theme';

export function readTheme(): Theme {
  try {
    return THEMES.find((name) => name === localStorage.getItem(KEY)) ?? 'system';
  } catch {
    // Storage can be forbidden, as in an embedded page.
    return 'system';
  }
}

/** Applies the theme to the page and remembers it. */
export function storeTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // As above.
  }
}
