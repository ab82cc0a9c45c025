import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { completeGuide } from './describe-events.js';
import { completeMetrics } from './describe-metrics.js';
import { withVariablesTable } from './describe-variables.js';

const DOCS = resolve(import.meta.dirname, '../../../docs');

function rewrite(file: string, complete: (guide: string) => string): void {
  const path = resolve(DOCS, file);
  writeFileSync(path, complete(readFileSync(path, 'utf8')));
}

rewrite('events.md', completeGuide);
rewrite('operating.md', completeMetrics);
rewrite('operating.md', withVariablesTable);
