import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { ROOT } from '../start/places.js';

/** A set of files and everything that it may import; layers.yaml explains the fields. */
export interface Layer {
  readonly files: readonly string[];
  readonly role: string;
  readonly uses: readonly string[];
  readonly packages: readonly string[];
}

const SHARED = 'domain events kafka metrics mongo outbox platform ports runtime tracing';
const words = (text = '') => text.split(' ').filter((word) => word !== '');

export const LAYERS: readonly Layer[] = (
  parse(readFileSync(join(ROOT, 'dev/layers/layers.yaml'), 'utf8')) as Record<string, string>[]
).map(({ files, role = '', uses, packages }) => ({
  files: words(files),
  role,
  uses: words(uses === 'every' ? SHARED : uses),
  packages: words(packages),
}));
