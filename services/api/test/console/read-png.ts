import { inflateSync } from 'node:zlib';

/** The pixels of a picture, row by row, with 8 bits for each of `channels`. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly channels: number;
  readonly bytes: Uint8Array;
}

const SIGNATURE_LENGTH = 8;
const CHANNELS: Readonly<Record<number, number>> = { 2: 3, 6: 4 };

/** Reads a PNG as browsers write it: 8 bits for each channel, RGB or RGBA, not interlaced. */
export function readPng(png: Buffer): Pixels {
  const data: Buffer[] = [];
  let header: Buffer | undefined;
  for (let at = SIGNATURE_LENGTH; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    const content = png.subarray(at + 8, at + 8 + length);
    if (type === 'IHDR') header = content;
    if (type === 'IDAT') data.push(content);
    at += length + 12;
  }
  const channels = CHANNELS[header?.[9] ?? 0];
  if (header === undefined || channels === undefined || header[8] !== 8 || header[12] !== 0)
    throw new Error('not a PNG with 8 bits of RGB or RGBA');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const bytes = withoutFilters(inflateSync(Buffer.concat(data)), {
    rows: height,
    stride: width * channels,
    channels,
  });
  return { width, height, channels, bytes };
}

interface Layout {
  readonly rows: number;
  /** Bytes of a row. */
  readonly stride: number;
  readonly channels: number;
}

/** Each row begins with its filter: how its bytes differ from those to the left (a), above (b) and both (c). */
function withoutFilters(filtered: Buffer, { rows, stride, channels }: Layout): Uint8Array {
  const bytes = new Uint8Array(rows * stride);
  for (let row = 0; row < rows; row++) {
    const from = row * (stride + 1);
    for (let x = 0; x < stride; x++) {
      const at = row * stride + x;
      const a = x < channels ? 0 : (bytes[at - channels] ?? 0);
      const b = row === 0 ? 0 : (bytes[at - stride] ?? 0);
      const c = row === 0 || x < channels ? 0 : (bytes[at - stride - channels] ?? 0);
      bytes[at] = (filtered[from + 1 + x] ?? 0) + predicted(filtered[from] ?? 0, { a, b, c });
    }
  }
  return bytes;
}

function predicted(
  filter: number,
  { a, b, c }: { readonly a: number; readonly b: number; readonly c: number },
): number {
  switch (filter) {
    case 0:
      return 0;
    case 1:
      return a;
    case 2:
      return b;
    case 3:
      return (a + b) >> 1;
    default: {
      const [fromA, fromB, fromC] = [Math.abs(b - c), Math.abs(a - c), Math.abs(a + b - 2 * c)];
      if (fromA <= fromB && fromA <= fromC) return a;
      return fromB <= fromC ? b : c;
    }
  }
}
