import zlib from 'node:zlib';
import kafkajs from 'kafkajs';
import { compressFrameSync, decompressFrameSync } from 'lz4-napi';
import { compressSync, uncompressSync } from 'snappy';

const { CompressionCodecs, CompressionTypes } = kafkajs;

interface Codec {
  compress(encoder: { buffer: Buffer }): Promise<Buffer>;
  decompress(bytes: Buffer): Promise<Buffer>;
}

/** Java producers frame snappy with this magic, two versions, and blocks with a length each. */
const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER_BYTES = 16;

const snappy: Codec = {
  compress: async ({ buffer }) => compressSync(buffer),
  decompress: async (bytes) =>
    bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC) ? uncompressXerial(bytes) : uncompress(bytes),
};
const lz4: Codec = {
  compress: async ({ buffer }) => compressFrameSync(buffer),
  decompress: async (bytes) => decompressFrameSync(bytes),
};
const zstd: Codec = {
  compress: async ({ buffer }) => zlib.zstdCompressSync(buffer),
  decompress: async (bytes) => zlib.zstdDecompressSync(bytes),
};

function uncompress(bytes: Buffer): Buffer {
  return Buffer.from(uncompressSync(bytes));
}

function uncompressXerial(bytes: Buffer): Buffer {
  const blocks: Buffer[] = [];
  for (let at = XERIAL_HEADER_BYTES; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    blocks.push(uncompress(bytes.subarray(at + 4, at + 4 + length)));
    at += 4 + length;
  }
  return Buffer.concat(blocks);
}

/** Registers codecs for other teams' producers: the client fails on a batch whose codec is not registered. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.Snappy] = () => snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => lz4;
  CompressionCodecs[CompressionTypes.ZSTD] = () => zstd;
}
