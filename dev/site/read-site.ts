import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import type { BuiltSite } from './check-site.js';

/** Reads the built site from its folder. */
export function readSite(folder: string): BuiltSite {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const place = join(parentPath, name);
      const text = /\.(html|css)$/.test(name) ? readFileSync(place, 'utf8') : '';
      return [`/${relative(folder, place).replaceAll(sep, '/')}`, text];
    }),
  );
}
