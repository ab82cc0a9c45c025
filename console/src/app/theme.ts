import { storedChoice } from '../ui/stored-choice.js';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const stored = storedChoice('postrider.theme', THEMES, 'system');

export const readTheme = stored.read;

/** Applies the theme to the page and remembers it. */
export function storeTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  stored.store(theme);
}
