import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GENERATED } from './generated.js';
import { ROOT } from './start/paths.js';

const files = GENERATED[process.argv[2] as keyof typeof GENERATED];
if (files === undefined) throw new Error(`usage: write-generated <${Object.keys(GENERATED).join(' | ')}>`);
for (const [name, complete] of Object.entries(files)) {
  const file = join(ROOT, name);
  writeFileSync(file, complete(readFileSync(file, 'utf8')));
}
