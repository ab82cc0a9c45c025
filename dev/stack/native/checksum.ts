import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Thrown for a download whose content differs from the pinned one. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}

/** The SHA-256 of a file in hexadecimal. */
export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** The SHA-256 of the output of `sha256sum *`, so of the names and contents of all files in a directory. */
export async function digestOfAll(directory: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(directory)).sort()) {
    hash.update(`${await sha256(join(directory, name))}  ${name}\n`);
  }
  return hash.digest('hex');
}

/** @throws ChecksumMismatch unless the SHA-256 is the expected one */
export function verify(path: string, actual: string, expected: string): void {
  if (actual === expected) return;
  throw new ChecksumMismatch(`${basename(path)} has SHA-256 ${actual} instead of ${expected}`);
}
