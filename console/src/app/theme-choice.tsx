import { useEffect, useState } from 'react';
import { texts } from '../texts/en.js';
import styles from './shell.module.css';
import { readTheme, storeTheme, THEMES, type Theme } from './theme.js';

export function ThemeChoice() {
  const [theme, setTheme] = useState<Theme>(readTheme);
  useEffect(() => storeTheme(theme), [theme]);
  return (
    <label className={styles.tool}>
      {texts.theme.label}
      <select
        value={theme}
        onChange={({ target }) => setTheme(THEMES.find((name) => name === target.value) ?? 'system')}
      >
        {THEMES.map((name) => (
          <option key={name} value={name}>
            {texts.theme[name]}
          </option>
        ))}
      </select>
    </label>
  );
}
