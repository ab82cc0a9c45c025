import { createTopicNames } from '@postrider/shared/kafka/topic-names';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { expect } from 'chai';
import type { Kafka } from 'kafkajs';
import { createReadAgain } from '../../src/consumer/read-again.js';

describe('events that are read again', () => {
  // Regression: while another partition had no leader, they could not be read.
  it('are replaced by the first offset that is stored, although another partition has no leader', async () => {
    const cluster = {
      connect: async () => {},
      addMultipleTargetTopics: async () => {},
      refreshMetadata: async () => {},
      refreshMetadataIfNecessary: async () => {},
      findTopicPartitionMetadata: () => [{ partitionId: 0 }, { partitionId: 1 }],
      findLeaderForPartitions: () => ({ '1': [0] }),
      findBroker: async () => ({
        fetch: async () => {
          throw Object.assign(new Error('out of range'), { type: 'OFFSET_OUT_OF_RANGE' });
        },
      }),
      async fetchTopicsOffset([topic]: readonly { partitions: readonly { partition: number }[] }[]) {
        if (topic!.partitions.some(({ partition }) => partition === 1)) throw new Error('no broker -1');
        return [{ partitions: [{ partition: 0, offset: '5' }] }];
      },
    };
    const kafka = { [Symbol('private:Kafka:createCluster')]: () => cluster } as unknown as Kafka;
    const again = createReadAgain({ kafka, names: createTopicNames('') });
    const read = await again.read({ topic: EVENTS_TOPIC, partition: 0, offset: 2 });
    expect(read).to.deep.equal({ start: 5 });
  });
});
