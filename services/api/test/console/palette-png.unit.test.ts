import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { expect } from 'chai';
import { palettePng } from './palette-png.js';
import { readPng } from './read-png.js';

/** Two rows of two pixels, as filters 1 (left) and 4 (Paeth) write them. */
const ROWS = Buffer.from([1, 250, 10, 20, 0, 0, 0, 4, 0, 0, 0, 5, 240, 230]);

function chunk(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(content.length);
  return Buffer.concat([length, Buffer.from(type), content, Buffer.alloc(4)]);
}

describe('palette of a picture', () => {
  const header = Buffer.from([0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0]);
  const png = Buffer.concat([
    Buffer.alloc(8),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(ROWS)),
    chunk('IEND', Buffer.alloc(0)),
  ]);

  it('reads rows with filters', () => {
    expect([...readPng(png).bytes]).to.deep.equal([250, 10, 20, 250, 10, 20, 250, 10, 20, 255, 250, 250]);
  });

  it('keeps the size of the picture, and names each colour once', () => {
    const small = palettePng(png);
    expect(small.subarray(0, 8).toString('latin1')).to.equal('\x89PNG\r\n\x1a\n');
    expect([small.readUInt32BE(16), small.readUInt32BE(20), small[25]]).to.deep.equal([2, 2, 3]);
    const palette = small.indexOf('PLTE');
    expect(small.readUInt32BE(palette - 4)).to.equal(6);
    expect([...small.subarray(palette + 4, palette + 10)]).to.deep.equal([250, 10, 20, 255, 250, 250]);
  });

  it('was used for the pictures of the documentation', () => {
    const folder = join(import.meta.dirname, '../../../../../docs/console');
    expect(readFileSync(join(folder, 'overview.png'))[25]).to.equal(3);
  });
});
