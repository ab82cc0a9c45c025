const VARINT_BYTES = 5;
/** The size in bytes of the longest text whose length takes one byte. */
const SHORT = 63;
const BYTES_PER_CHARACTER = 3;
const NULL_LENGTH = -1;
const UINT32 = 2 ** 32;

/** The bytes of small sizes. Most texts of records are shorter. */
const SIZES = Array.from({ length: 1_024 }, (_, size) => encodeSize(size));

/** A size as a varint, one character for each byte. */
export function sizeText(size: number): string {
  return SIZES[size] ?? encodeSize(size);
}

function encodeSize(size: number): string {
  const bytes: number[] = [];
  let rest = size * 2;
  for (; rest > 0x7f; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
  return String.fromCharCode(...bytes, rest);
}

/** Writes the types of Kafka's protocol into a buffer that grows. Numbers are big-endian. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(64 * 1_024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** A view of what was written from `start` on. It is valid until the next write. */
  view(start = 0): Buffer {
    return this.#buffer.subarray(start, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Writes bytes in place of everything from `start` on. */
  replace(start: number, bytes: Uint8Array): void {
    this.#length = start;
    this.raw(bytes);
  }

  int8(value: number): void {
    this.#ensure(1);
    this.#length = this.#buffer.writeInt8(value, this.#length);
  }

  int16(value: number): void {
    this.#ensure(2);
    this.#length = this.#buffer.writeInt16BE(value, this.#length);
  }

  int32(value: number): void {
    this.#ensure(4);
    this.#length = this.#buffer.writeInt32BE(value | 0, this.#length);
  }

  /** @param value a safe integer */
  int64(value: number): void {
    this.int32(Math.floor(value / UINT32));
    this.int32(value % UINT32);
  }

  /** Writes over four bytes at `at`. */
  setInt32(at: number, value: number): void {
    this.#buffer.writeInt32BE(value | 0, at);
  }

  /** Zigzag: small numbers are short, negative ones too. */
  varint(value: number): void {
    this.#ensure(VARINT_BYTES);
    let rest = ((value << 1) ^ (value >> 31)) >>> 0;
    for (; rest > 0x7f; rest >>>= 7) this.#byte((rest & 0x7f) | 0x80);
    this.#byte(rest);
  }

  raw(bytes: Uint8Array): void {
    this.#ensure(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** @param text one character for each byte */
  latin1(text: string): void {
    this.#ensure(text.length);
    this.#length += this.#buffer.write(text, this.#length, 'latin1');
  }

  /** With a length of 16 bits. */
  string(text: string): void {
    const length = Buffer.byteLength(text);
    this.int16(length);
    this.#text(text, length);
  }

  /** With a length of variable size. */
  bytes(bytes: string | Uint8Array | null): void {
    if (bytes === null) this.varint(NULL_LENGTH);
    else if (typeof bytes === 'string') this.#varintText(bytes);
    else {
      this.varint(bytes.length);
      this.raw(bytes);
    }
  }

  #varintText(text: string): void {
    if (text.length * BYTES_PER_CHARACTER <= SHORT) {
      this.#ensure(SHORT + 1);
      const length = this.#buffer.write(text, this.#length + 1);
      this.#byte(length << 1);
      this.#length += length;
      return;
    }
    const length = Buffer.byteLength(text);
    this.varint(length);
    this.#text(text, length);
  }

  #text(text: string, length: number): void {
    this.#ensure(length);
    this.#length += this.#buffer.write(text, this.#length);
  }

  #byte(byte: number): void {
    this.#buffer[this.#length] = byte;
    this.#length += 1;
  }

  #ensure(bytes: number): void {
    if (this.#length + bytes <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(2 * this.#buffer.length, this.#length + bytes));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}
