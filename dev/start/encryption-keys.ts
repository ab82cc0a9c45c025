import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A key for secrets at rest. Data that is kept can only be read with the key that wrote it, so the key is kept with it. */
export function encryptionKeys(file: string | undefined): string {
  if (file !== undefined && existsSync(file)) return readFileSync(file, 'utf8');
  const keys = `dev:${randomBytes(32).toString('base64')}`;
  if (file !== undefined) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, keys, { mode: 0o600 });
  }
  return keys;
}
