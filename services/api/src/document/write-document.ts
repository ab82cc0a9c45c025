import { readFileSync, writeFileSync } from 'node:fs';
import { completeDocument } from './complete-document.js';

/** Run after the generator, from the service's directory: turns its output into the committed document. */
const generated = JSON.parse(readFileSync('src/generated/tsoa.json', 'utf8'));
writeFileSync('openapi.json', `${JSON.stringify(completeDocument(generated), null, 2)}\n`);
