import { basename, dirname, join } from 'node:path/posix';

/** Markdown files outside docs/ that are pages as well. */
export const OTHER_PAGES = [
  'README.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'STYLE.md',
  'client/README.md',
  'cli/README.md',
] as const;

/** The place in the site of a Markdown file or of a sample, both from the root of the repository. */
export function sitePath(file: string): string {
  if (file === 'README.md') return 'first-steps.md';
  const path = file.replace(/^docs\//, '');
  if (basename(path) === 'README.md') return join(dirname(path), 'index.md');
  if (!path.endsWith('.md')) return `${path}.md`;
  return file.includes('/') ? path : `project/${path.toLowerCase()}`;
}
