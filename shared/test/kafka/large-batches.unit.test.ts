import { createRequire } from 'node:module';
import { expect } from 'chai';
import { encodeProduce, GZIP } from '../../src/kafka/encode-produce.js';
import '../../src/kafka/connect.js';

interface Bytes {
  readonly offset: number;
}

const load = createRequire(import.meta.url);
const Decoder = load('kafkajs/src/protocol/decoder.js');
const Encoder = load('kafkajs/src/protocol/encoder.js');
const decodeMessages: (
  bytes: Bytes,
) => Promise<readonly { readonly offset: string; readonly value: Buffer }[]> = load(
  'kafkajs/src/protocol/requests/fetch/v4/decodeMessages.js',
);

const TOPIC = 'topic';
/** Bytes before the size of the batch: transaction, acks, timeout, count of topics, topic, count of partitions, partition. */
const BEFORE_SIZE = 2 + 2 + 4 + 4 + (2 + TOPIC.length) + 4 + 4;
const SIZE_BYTES = 4;

/** A batch of records, without its size. */
function aBatch(count: number): Buffer {
  const messages = Array.from({ length: count }, () => ({ value: 'v' }));
  const topicData = [{ topic: TOPIC, partitions: [{ partition: 0, messages }] }];
  const request = encodeProduce({ acks: -1, timeout: 0, compression: GZIP, topicData }, 0);
  return request.subarray(BEFORE_SIZE + SIZE_BYTES);
}

/** The messages of a partition in a response, and what follows them. */
function inResponse(batches: Buffer, following = Buffer.alloc(0)): Bytes {
  return new Decoder(Buffer.concat([new Encoder().writeInt32(batches.length).buffer, batches, following]));
}

describe('fetched batches', () => {
  // Regression: the stack has no room for so many arguments of a call.
  it('are decoded with 200,000 records', async () => {
    const records = await decodeMessages(inResponse(aBatch(200_000)));
    expect(records).to.have.length(200_000);
    expect(records.at(-1)).to.include({ offset: '199999' });
    expect(String(records.at(-1)?.value)).to.equal('v');
  }).timeout(10_000);

  it('are decoded up to the first one that is not complete', async () => {
    const [one, two] = [aBatch(3), aBatch(2)];
    const bytes = inResponse(Buffer.concat([one, two, two.subarray(0, -1)]), Buffer.from('next partition'));
    const records = await decodeMessages(bytes);
    expect(records.map(({ offset }) => offset)).to.deep.equal(['0', '1', '2', '0', '1']);
    expect(bytes.offset).to.equal(SIZE_BYTES + one.length + 2 * two.length - 1);
  });

  it('are none in a partition without messages, whatever follows', async () => {
    for (const following of [Buffer.alloc(0), Buffer.alloc(60, 2)]) {
      const bytes = inResponse(Buffer.alloc(0), following);
      expect(await decodeMessages(bytes)).to.deep.equal([]);
      expect(bytes.offset).to.equal(SIZE_BYTES);
    }
  });
});
