import { resolve } from 'node:path';

/** The checkout, seen from the compiled file. */
export const ROOT = resolve(import.meta.dirname, '../../..');

/** Everything that a run stores. */
const HOME = resolve(ROOT, '.postrider');

export const PATHS = {
  data: resolve(HOME, 'data'),
  logs: resolve(HOME, 'logs'),
  /** Node's compiled modules: every process needs a tenth or two of a second less to start with them. */
  compileCache: resolve(HOME, 'compile-cache'),
  devFile: resolve(HOME, 'dev.json'),
  encryptionKeys: resolve(HOME, 'data', 'encryption-keys'),
  /** For data on external servers, which is not in `data`. */
  externalEncryptionKeys: resolve(HOME, 'external-encryption-keys'),
  /** The example catalogue, with which a new installation starts. */
  eventTypes: resolve(ROOT, 'docs/event-types.yaml'),
} as const;
