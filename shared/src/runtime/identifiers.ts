import { randomBytes } from 'node:crypto';

const TAIL_BYTES = 10;

/** Random bytes for the tail of a new identifier. */
export function randomTail(): Uint8Array {
  return randomBytes(TAIL_BYTES);
}
