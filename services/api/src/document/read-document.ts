import { readFileSync } from 'node:fs';
import type { OpenApiDocument } from './openapi.js';

/** The committed document, so that the served document is the reviewed one. */
export function readDocument(): OpenApiDocument {
  return JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'));
}
