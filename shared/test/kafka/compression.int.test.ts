import { expect } from 'chai';
import kafkajs from 'kafkajs';
import { compressSync } from 'snappy';
import { registerCodecs } from '../../src/kafka/compression.js';
import { EVENTS_TOPIC } from '../../src/ports/topics.js';
import { eventually } from '../../src/testing/eventually.js';
import { type TestWorld, testWorld } from '../../src/testing/test-world.js';
import { type TopicReader, topicReader } from '../../src/testing/topic-reader.js';

const { CompressionCodecs, CompressionTypes } = kafkajs;
const SENTENCE = 'the same sentence, again and again; '.repeat(3);

/** The sentence as compressed by the Java client, as in a record batch. */
const FROM_JAVA = {
  Snappy: 'glNOQVBQWQAAAAABAAAAAQAAAChsbHRoZSBzYW1lIHNlbnRlbmNlLCBhZ2FpbiBhbmQJCgQ7IP4kABEk',
  LZ4: 'BCJNGGBAgiwAAADyDXRoZSBzYW1lIHNlbnRlbmNlLCBhZ2FpbiBhbmQKAC87ICQAMFBhaW47IAAAAAA=',
  ZSTD: 'KLUv/QBYPAEA8HRoZSBzYW1lIHNlbnRlbmNlLCBhZ2FpbiBhbmQ7IAIAdRTCFCtOAQAA',
} as const;
type OwnCodec = keyof typeof FROM_JAVA;

async function decompress(codec: OwnCodec, bytes: Buffer): Promise<string> {
  const decompressed: Buffer = await CompressionCodecs[CompressionTypes[codec]]().decompress(bytes);
  return decompressed.toString();
}

/** Frames raw snappy blocks as Java producers do: magic, two versions, each block after its length. */
function framed(...blocks: readonly Buffer[]): Buffer {
  const header = Buffer.from([0x82, ...Buffer.from('SNAPPY'), 0, 0, 0, 0, 1, 0, 0, 0, 1]);
  const lengthOf = ({ length }: Buffer) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(length);
    return bytes;
  };
  return Buffer.concat([header, ...blocks.flatMap((block) => [lengthOf(block), block])]);
}

describe('compressed batches', () => {
  before(registerCodecs);

  for (const codec of ['Snappy', 'LZ4', 'ZSTD'] as const) {
    it(`of the Java client are decompressed: ${codec}`, async () => {
      expect(await decompress(codec, Buffer.from(FROM_JAVA[codec], 'base64'))).to.equal(SENTENCE);
    });
  }

  it('of several snappy blocks are concatenated', async () => {
    const blocks = ['one, ', 'two, ', 'three'].map((text) => compressSync(Buffer.from(text)));
    expect(await decompress('Snappy', framed(...blocks))).to.equal('one, two, three');
  });

  it('with invalid bytes fail', async () => {
    for (const codec of ['Snappy', 'LZ4', 'ZSTD'] as const) {
      const cut = Buffer.from(FROM_JAVA[codec], 'base64').subarray(0, 40);
      const result = await decompress(codec, cut).catch((error: unknown) => error);
      expect(result, codec).to.be.instanceOf(Error);
    }
  });
});

describe('topic of other producers', () => {
  let world: TestWorld;
  let reader: TopicReader;
  before(async () => {
    world = await testWorld();
    reader = await topicReader(world, EVENTS_TOPIC);
  });
  after(async () => {
    await reader?.stop();
    await world?.destroy();
  });

  it('is read with every compression codec', async () => {
    const producer = world.kafka.producer();
    await producer.connect();
    const topic = world.names.full(EVENTS_TOPIC);
    const codecs = ['None', 'GZIP', 'Snappy', 'LZ4', 'ZSTD'] as const;
    for (const codec of codecs) {
      const messages = Array.from({ length: 50 }, (_, n) => ({
        key: 'k',
        value: `${codec} ${n} ${SENTENCE}`,
      }));
      await producer.send({ topic, messages, compression: CompressionTypes[codec] });
    }
    await producer.disconnect();
    await eventually(() => expect(reader.records).to.have.length(250));
    const expected = codecs.flatMap((codec) =>
      Array.from({ length: 50 }, (_, n) => `${codec} ${n} ${SENTENCE}`),
    );
    expect(reader.records.map(({ value }) => `${value}`)).to.deep.equal(expected);
  });
});
