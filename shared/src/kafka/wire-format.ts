import { isUtf8 } from 'node:buffer';
import { Undecodable } from './undecodable.js';

/** A magic byte, which is 0, and a schema id. */
export const HEADER_BYTES = 5;

/** Confluent wire format: a zero byte, the schema's id (32 bits, big-endian) and JSON. */
export function frame(id: number, json: string): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + Buffer.byteLength(json));
  bytes.writeInt32BE(id, 1);
  bytes.write(json, HEADER_BYTES);
  return bytes;
}

/** @throws Undecodable if the bytes are not in the wire format */
export function unframe(bytes: Buffer | null): { readonly id: number; readonly text: string } {
  const id = schemaIdOf(bytes);
  const text = (bytes ?? Buffer.alloc(0)).subarray(HEADER_BYTES);
  if (!isUtf8(text)) throw new Undecodable('the value is not UTF-8');
  return { id, text: text.toString('utf8') };
}

/** The id of the schema. @throws Undecodable if the bytes are not in the wire format */
export function schemaIdOf(bytes: Buffer | null): number {
  if (bytes === null || bytes.length < HEADER_BYTES)
    throw new Undecodable('the value is shorter than its header');
  if (bytes[0] !== 0) throw new Undecodable(`the magic byte is ${bytes[0]} instead of 0`);
  return bytes.readInt32BE(1);
}
