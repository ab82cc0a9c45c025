import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { completeGuide } from './describe-events.js';
import { withVariablesTable } from './describe-variables.js';

const DOCS = resolve(import.meta.dirname, '../../../docs');

for (const [name, complete] of [
  ['events.md', completeGuide],
  ['operating.md', withVariablesTable],
] as const) {
  const file = resolve(DOCS, name);
  writeFileSync(file, complete(readFileSync(file, 'utf8')));
}
