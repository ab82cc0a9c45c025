import { readFileSync, writeFileSync } from 'node:fs';
import { completeDocument } from './complete-document.js';

/** Runs after the generator, in the service's directory: converts its output to the committed document. */
const generated = JSON.parse(readFileSync('src/generated/tsoa.json', 'utf8'));
writeFileSync('openapi.json', `${JSON.stringify(completeDocument(generated), null, 2)}\n`);
