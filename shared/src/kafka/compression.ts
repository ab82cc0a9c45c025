import zlib from 'node:zlib';
import kafkajs from 'kafkajs';
import { loadOnce } from '../runtime/load-once.js';

const { CompressionCodecs, CompressionTypes } = kafkajs;

interface Codec {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
}

/** Java producers frame snappy with this magic, two versions, and blocks with a length each. */
const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER_BYTES = 16;

/** These libraries take 6 MB, and most installations have no producer that uses them. */
const loadSnappy = loadOnce(() => import('snappy'));
const loadLz4 = loadOnce(() => import('lz4-napi'));

const snappy: Codec = {
  compress: async ({ buffer }) => (await loadSnappy()).compressSync(buffer),
  async decompress(bytes) {
    const { uncompressSync } = await loadSnappy();
    const uncompress = (block: Buffer) => Buffer.from(uncompressSync(block));
    const isFramed = bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC);
    return isFramed ? Buffer.concat(xerialBlocks(bytes).map(uncompress)) : uncompress(bytes);
  },
};
const lz4: Codec = {
  compress: async ({ buffer }) => (await loadLz4()).compressFrameSync(buffer),
  decompress: async (bytes) => (await loadLz4()).decompressFrameSync(bytes),
};
const zstd: Codec = {
  compress: async ({ buffer }) => zlib.zstdCompressSync(buffer),
  decompress: async (bytes) => zlib.zstdDecompressSync(bytes),
};

function xerialBlocks(bytes: Buffer): Buffer[] {
  const blocks: Buffer[] = [];
  for (let at = XERIAL_HEADER_BYTES; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    blocks.push(bytes.subarray(at + 4, at + 4 + length));
    at += 4 + length;
  }
  return blocks;
}

/** Registers codecs for other teams' producers: the client fails on a batch whose codec is not registered. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.Snappy] = () => snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstd;
}
