import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { completeGuide } from './describe-events.js';

const GUIDE = resolve(import.meta.dirname, '../../../docs/events.md');
writeFileSync(GUIDE, completeGuide(readFileSync(GUIDE, 'utf8')));
