/** Castagnoli's polynomial, reversed. */
const POLYNOMIAL = 0x82f63b78;
/** Bytes in a step, and in a word. */
const STEP = 8;
const WORD = 4;
const BYTES = 256;

/** The checksums of a byte with no zeros after it, with one zero, and so on up to seven. */
const TABLE = createTable();
const entry = (zeros: number, byte: number): number => TABLE[zeros * BYTES + byte] ?? 0;

/** The checksum of Kafka's record batches, eight bytes at a time. @returns 32 bits with a sign */
export function crc32c(bytes: Buffer): number {
  if (bytes.length < WORD) return ~addBytes(-1, bytes);
  const start = -bytes.byteOffset & (WORD - 1);
  const steps = Math.floor((bytes.length - start) / STEP);
  const end = start + steps * STEP;
  let crc = addBytes(-1, bytes.subarray(0, start));
  // Words of 32 bits have to be aligned. Every platform of Node has the lowest byte first.
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + start, steps * 2);
  for (let at = 0; at < words.length; at += 2) {
    const low = (words[at] ?? 0) ^ crc;
    const high = words[at + 1] ?? 0;
    crc =
      entry(7, low & 255) ^
      entry(6, (low >>> 8) & 255) ^
      entry(5, (low >>> 16) & 255) ^
      entry(4, low >>> 24) ^
      entry(3, high & 255) ^
      entry(2, (high >>> 8) & 255) ^
      entry(1, (high >>> 16) & 255) ^
      entry(0, high >>> 24);
  }
  return ~addBytes(crc, bytes.subarray(end));
}

function addBytes(crc: number, bytes: Buffer): number {
  let sum = crc;
  for (const byte of bytes) sum = entry(0, (sum ^ byte) & 255) ^ (sum >>> 8);
  return sum;
}

function createTable(): Int32Array {
  const table = new Int32Array(STEP * BYTES);
  for (let byte = 0; byte < BYTES; byte += 1) {
    let crc = byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
    table[byte] = crc;
  }
  for (let index = BYTES; index < table.length; index += 1) {
    const before = table[index - BYTES] ?? 0;
    table[index] = (table[before & 255] ?? 0) ^ (before >>> 8);
  }
  return table;
}
