import { crc32, deflateSync } from 'node:zlib';
import { type Pixels, readPng } from './read-png.js';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MOST_COLOURS = 256;
/** Colours that differ by less than that share a place of the palette. */
const ALIKE = 3 * 6 ** 2;

/** The same picture with at most 256 colours, in a third of the bytes. */
export function palettePng(png: Buffer): Buffer {
  const pixels = readPng(png);
  const colours = coloursOf(pixels);
  const palette = paletteOf(colours);
  const places = new Map<number, number>();
  const placeOf = (colour: number) => {
    const found = places.get(colour) ?? nearest(palette, colour);
    places.set(colour, found);
    return found;
  };
  const { width, height } = pixels;
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = placeOf(colours[y * width + x] ?? 0);
  return encode({ width, height, palette, rows });
}

/** The colour of each pixel as one number; pictures of pages are opaque. */
function coloursOf({ width, height, channels, bytes }: Pixels): Uint32Array {
  return Uint32Array.from({ length: width * height }, (_, pixel) => {
    const at = pixel * channels;
    return ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
  });
}

/** The most frequent colours that are not alike. */
function paletteOf(colours: Uint32Array): readonly number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const palette: number[] = [];
  for (const [colour] of [...counts].toSorted(([, one], [, other]) => other - one)) {
    if (palette.length === MOST_COLOURS) break;
    if (palette.every((chosen) => distance(chosen, colour) > ALIKE)) palette.push(colour);
  }
  return palette;
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  for (let place = 1; place < palette.length; place++)
    if (distance(palette[place] ?? 0, colour) < distance(palette[best] ?? 0, colour)) best = place;
  return best;
}

function distance(one: number, other: number): number {
  const difference = (shift: number) => ((one >> shift) & 255) - ((other >> shift) & 255);
  return difference(16) ** 2 + difference(8) ** 2 + difference(0) ** 2;
}

interface Indexed {
  readonly width: number;
  readonly height: number;
  readonly palette: readonly number[];
  /** Places of the palette; each row begins with 0, the filter that changes nothing. */
  readonly rows: Buffer;
}

function encode({ width, height, palette, rows }: Indexed): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const data = deflateSync(rows, { level: 9 });
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('PLTE', colours),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(content.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
