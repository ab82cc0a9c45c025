import { readFileSync } from 'node:fs';

const GUIDES = new URL('../../../../../docs/', import.meta.url);

/** The text of a page of the guide, as Markdown. The image contains those that are shown to users. */
export function readGuide(name: string): string {
  return readFileSync(new URL(`${name}.md`, GUIDES), 'utf8');
}
