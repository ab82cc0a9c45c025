import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from './openapi.js';

/** The committed document: what is served is what was reviewed. */
export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
}
