import type { HeaderValue } from '../ports/queue.js';

/** A record of a batch, with its place in it. */
export interface BatchRecord {
  readonly offsetDelta?: number;
  readonly key?: string | Buffer | null;
  readonly value?: string | Buffer | null;
  readonly headers?: Readonly<Record<string, HeaderValue>>;
}

/** The longest variable-length integer of 32 bits. */
const VARINT_BYTES = 5;
/** A text of so many bytes has a length of one byte. */
const SHORT = 63;
const BYTES_PER_CHARACTER = 3;
const NULL_LENGTH = -1;

/** Reused by all records: a record is written in one turn of the event loop, then copied. */
let scratch = Buffer.allocUnsafe(64 * 1_024);
let offset = 0;

/**
 * Encodes a record of a batch, version 0, with the timestamp of its batch:
 * https://kafka.apache.org/documentation/#record
 */
export function encodeRecord({ offsetDelta = 0, key, value, headers = {} }: BatchRecord): Buffer {
  // The length precedes the body and is known after it.
  offset = VARINT_BYTES;
  writeByte(0);
  writeVarint(0);
  writeVarint(offsetDelta);
  writeBytes(key ?? null);
  writeBytes(value ?? null);
  writeHeaders(headers);
  const end = offset;
  const length = end - VARINT_BYTES;
  const start = VARINT_BYTES - sizeOfVarint(length);
  offset = start;
  writeVarint(length);
  return Buffer.from(scratch.subarray(start, end));
}

function writeHeaders(headers: Readonly<Record<string, HeaderValue>>): void {
  const names = Object.keys(headers);
  const isList = (name: string) => Array.isArray(headers[name]);
  const count = names.reduce(
    (sum, name) => sum + (isList(name) ? (headers[name] as readonly unknown[]).length : 1),
    0,
  );
  writeVarint(count);
  for (const name of names) {
    const values = headers[name];
    for (const one of Array.isArray(values) ? values : [values]) {
      writeBytes(name);
      writeBytes(one ?? null);
    }
  }
}

function writeBytes(bytes: string | Buffer | null): void {
  if (bytes === null) writeVarint(NULL_LENGTH);
  else if (typeof bytes === 'string') writeText(bytes);
  else {
    writeVarint(bytes.length);
    ensure(bytes.length);
    offset += bytes.copy(scratch, offset);
  }
}

function writeText(text: string): void {
  if (text.length * BYTES_PER_CHARACTER <= SHORT) {
    ensure(SHORT + 1);
    const length = scratch.write(text, offset + 1);
    scratch[offset] = length << 1;
    offset += 1 + length;
    return;
  }
  const length = Buffer.byteLength(text);
  writeVarint(length);
  ensure(length);
  offset += scratch.write(text, offset);
}

function writeByte(byte: number): void {
  ensure(1);
  scratch[offset] = byte;
  offset += 1;
}

/** Zigzag: small numbers are short, negative ones too. */
function writeVarint(value: number): void {
  ensure(VARINT_BYTES);
  let rest = ((value << 1) ^ (value >> 31)) >>> 0;
  while (rest > 0x7f) {
    scratch[offset] = (rest & 0x7f) | 0x80;
    offset += 1;
    rest >>>= 7;
  }
  scratch[offset] = rest;
  offset += 1;
}

function sizeOfVarint(value: number): number {
  let size = 1;
  for (let rest = ((value << 1) ^ (value >> 31)) >>> 0; rest > 0x7f; rest >>>= 7) size += 1;
  return size;
}

function ensure(bytes: number): void {
  if (offset + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(2 * scratch.length, offset + bytes));
  scratch.copy(larger, 0, 0, offset);
  scratch = larger;
}
