import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Thrown for a download whose content is not the one that was pinned. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}

/** The SHA-256 of a file in hexadecimal. */
export async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

/** @throws ChecksumMismatch */
export async function verifyChecksum(file: string, expected: string): Promise<void> {
  const actual = await sha256(file);
  if (actual !== expected) {
    throw new ChecksumMismatch(`${basename(file)} has SHA-256 ${actual} instead of ${expected}`);
  }
}
