import { encodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import { readRecord } from '@postrider/shared/kafka/read-record';
import { DEAD_LETTER_TOPIC } from '@postrider/shared/ports/topics';
import { expect } from 'chai';
import { createHandleBatch } from '../src/handle-batch.js';
import { anExhaustedDelivery, messageOf } from './builders.js';

const LETTER = encodeQueueMessage(messageOf(anExhaustedDelivery()));

const recordOf = (value: string, offset: number) =>
  readRecord(DEAD_LETTER_TOPIC, {
    partition: 0,
    offset,
    timestamp: 0,
    key: null,
    value: Buffer.from(value),
    headers: {},
  });

describe('handleBatch', () => {
  /** Handles records with these values. @returns what was done, in order */
  async function handle(values: readonly string[], failure: Error | null = null) {
    const done: string[] = [];
    const handleBatch = createHandleBatch({
      async settleGroup(messages) {
        if (failure !== null) throw failure;
        done.push(`settle ${messages.length}`);
        return messages.map(() => 'dead_lettered');
      },
      quarantine: async (_, reason) => void done.push(`quarantine: ${reason}`),
      count: (result) => void done.push(result),
    });
    const beat = async () => void done.push('heartbeat');
    const error = await handleBatch(values.map(recordOf), beat).catch((one: Error) => one);
    return { done, error };
  }

  it('settles what can be read, and quarantines the rest last', async () => {
    const { done } = await handle(['unreadable', LETTER, LETTER]);
    expect(done).to.deep.equal([
      'settle 2',
      'dead_lettered',
      'dead_lettered',
      'heartbeat',
      'quarantine: the value is not JSON',
      'heartbeat',
    ]);
  });

  it('settles at most 100 dead letters together', async () => {
    const { done } = await handle(Array<string>(101).fill(LETTER));
    expect(done.filter((step) => step.startsWith('settle'))).to.deep.equal(['settle 100', 'settle 1']);
  });

  it('quarantines nothing of a batch that fails, because all of it is handled again', async () => {
    const failure = new Error('no server');
    expect(await handle(['unreadable', LETTER], failure)).to.deep.equal({ done: [], error: failure });
  });
});
