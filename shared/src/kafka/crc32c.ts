/** Castagnoli's polynomial, reversed. */
const POLYNOMIAL = 0x82f63b78;
/** Bytes in a step. */
const STEP = 8;
const BYTES = 256;

/** The checksums of a byte with no zeros after it, with one zero, and so on up to seven. */
const TABLE = createTable();
const entry = (zeros: number, byte: number): number => TABLE[zeros * BYTES + byte] ?? 0;

/** The checksum of Kafka's record batches, eight bytes at a time. @returns 32 bits with a sign */
export function crc32c(bytes: Buffer): number {
  let crc = -1;
  let at = 0;
  for (const end = bytes.length - STEP; at <= end; at += STEP) {
    const low = bytes.readInt32LE(at) ^ crc;
    const high = bytes.readInt32LE(at + 4);
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
  for (; at < bytes.length; at += 1) crc = entry(0, (crc ^ bytes.readUInt8(at)) & 255) ^ (crc >>> 8);
  return ~crc;
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
