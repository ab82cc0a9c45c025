import { asId } from '@postrider/shared/domain/id';
import { encodeQueueMessage } from '@postrider/shared/kafka/queue-message';
import { readRecord } from '@postrider/shared/kafka/read-record';
import type { QueueMessage } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC } from '@postrider/shared/ports/topics';
import { expect } from 'chai';
import { createHandleBatch } from '../src/handle-batch.js';
import { createSettleGroup, type DeadLetterResult } from '../src/settle-group.js';
import { anExhaustedDelivery, messageOf } from './builders.js';

const LETTER = encodeQueueMessage(messageOf(anExhaustedDelivery()));

const NO_LOG = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

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

  // Regression: the records before one that could not be quarantined were quarantined again with each try.
  it('quarantines each record once, although a later one has to be tried again', async () => {
    const quarantined: number[] = [];
    let failures = 2;
    const handleBatch = createHandleBatch({
      settleGroup: async () => [],
      async quarantine({ offset }) {
        if (offset === 1 && failures-- > 0) throw new Error('no leader');
        quarantined.push(offset);
      },
      count: () => {},
    });
    const records = ['unreadable', 'unreadable', 'unreadable'].map(recordOf);
    const attempt = () => handleBatch(records, async () => {}).then(String, ({ message }: Error) => message);
    expect([await attempt(), await attempt(), await attempt()]).to.deep.equal([
      'no leader',
      'no leader',
      'undefined',
    ]);
    expect(quarantined).to.deep.equal([0, 1, 2]);
  });

  for (const { what, letters, isBad, tries } of [
    {
      what: 'a single letter behind a group',
      letters: 101,
      isBad: (index: number) => index === 100,
      tries: 6,
    },
    // The try that gives the first group up is the first one of the second group.
    { what: 'two groups', letters: 200, isBad: () => true, tries: 11 },
  ]) {
    it(`gives up ${what} that the database rejects again and again, and counts each letter once`, async () => {
      const results: DeadLetterResult[] = [];
      const indexOf = ({ deliveryId }: QueueMessage) => Number(deliveryId.slice('del_'.length));
      const handleBatch = createHandleBatch({
        settleGroup: createSettleGroup({
          async settle(messages) {
            if (messages.some((message) => isBad(indexOf(message)))) throw new Error('failed validation');
            return messages.map(() => 'dead_lettered');
          },
          isDatabaseAway: () => false,
          log: NO_LOG,
        }),
        quarantine: async () => {},
        count: (result) => void results.push(result),
      });
      const records = Array.from({ length: letters }, (_, index) => {
        const deliveryId = asId('delivery', `del_${index}`);
        return recordOf(encodeQueueMessage({ ...messageOf(anExhaustedDelivery()), deliveryId }), index);
      });
      const failures: unknown[] = [];
      const isHandled = () =>
        handleBatch(records, async () => {}).then(
          () => true,
          (error) => failures.push(error) > tries,
        );
      while (!(await isHandled()));
      expect(failures).to.have.length(tries - 1);
      const bad = records.filter((_, index) => isBad(index)).length;
      expect(results.filter((result) => result === 'poisoned')).to.have.length(bad);
      expect(results).to.have.length(letters);
    });
  }
});
