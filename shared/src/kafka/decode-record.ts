/** The values that the client's batch decoder passes for each of its records. */
export interface BatchContext {
  readonly firstOffset: string;
  readonly firstTimestamp: string;
  readonly maxTimestamp: string;
  readonly timestampType: number;
  readonly isControlBatch?: boolean;
  readonly magicByte?: number;
}

/** A record in the form of the client. */
export interface DecodedRecord {
  readonly magicByte: number | undefined;
  readonly attributes: number;
  readonly timestamp: string;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: Readonly<Record<string, Buffer | null | readonly (Buffer | null)[]>>;
  readonly isControlRecord: boolean;
  readonly batchContext: BatchContext;
}

const LOG_APPEND_TIME = 1;
/** An assignment to it would change the prototype. */
const PROTOTYPE = '__proto__';

/**
 * Decodes a record of a batch: https://kafka.apache.org/documentation/#record
 *
 * @param bytes of the record, without its length
 * @returns null for a record that is left to the client's own decoder
 */
export function decodeRecord(bytes: Buffer, batchContext: BatchContext): DecodedRecord | null {
  const { firstOffset, firstTimestamp, maxTimestamp, timestampType } = batchContext;
  const { isControlBatch = false, magicByte } = batchContext;
  const reader = new RecordReader(bytes);
  const attributes = bytes.readInt8(0);
  const sinceFirst = reader.varint();
  const isOfBroker = timestampType === LOG_APPEND_TIME && maxTimestamp !== '';
  const timestamp = isOfBroker ? maxTimestamp : String(Number(firstTimestamp) + sinceFirst);
  const offset = String(Number(firstOffset) + reader.varint());
  const key = reader.bytes();
  const value = reader.bytes();
  const headers: Record<string, Buffer | null | (Buffer | null)[]> = {};
  for (let left = reader.varint(); left > 0; left -= 1) {
    const name = reader.text();
    if (name === null) return null;
    const one = reader.bytes();
    const others = headers[name];
    // The second: a name of the prototype of objects, such as `toString`.
    if (others === undefined || !Object.hasOwn(headers, name)) setFirst(headers, name, one);
    else if (Array.isArray(others)) others.push(one);
    else headers[name] = [others, one];
  }
  if (!reader.isSound) return null;
  return {
    magicByte,
    attributes,
    timestamp,
    offset,
    key,
    value,
    headers,
    isControlRecord: isControlBatch,
    batchContext,
  };
}

function setFirst(headers: Record<string, unknown>, name: string, value: Buffer | null): void {
  if (name !== PROTOTYPE) headers[name] = value;
  else Object.defineProperty(headers, name, { value, enumerable: true, writable: true, configurable: true });
}

const ATTRIBUTES_BYTES = 1;
const MORE = 0x80;
const BITS = 0x7f;
/** With more, a number would no longer be exact. */
const MAX_VARINT_BYTES = 7;

class RecordReader {
  /** Whether everything was within the record, and every number exact. */
  isSound = true;
  readonly #bytes: Buffer;
  #at = ATTRIBUTES_BYTES;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  varint(): number {
    let value = 0;
    let factor = 1;
    for (let count = 1; count <= MAX_VARINT_BYTES; count += 1) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) break;
      this.#at += 1;
      value += (byte & BITS) * factor;
      if (byte < MORE) return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
      factor *= MORE;
    }
    this.isSound = false;
    return 0;
  }

  bytes(): Buffer | null {
    const start = this.#skipBytes();
    return start === null ? null : this.#bytes.subarray(start, this.#at);
  }

  text(): string | null {
    const start = this.#skipBytes();
    return start === null ? null : this.#bytes.toString('utf8', start, this.#at);
  }

  /** Moves behind a sequence of bytes. @returns where it starts; null if it is null */
  #skipBytes(): number | null {
    const length = this.varint();
    if (length === -1) return null;
    const start = this.#at;
    this.#at += length;
    if (length < 0 || this.#at > this.#bytes.length) this.isSound = false;
    return start;
  }
}
