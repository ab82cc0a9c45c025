import { expect } from 'chai';
import type { Admin, ITopicConfig } from 'kafkajs';
import { createTopicNames } from '../../src/kafka/topic-names.js';
import { createTopics } from '../../src/kafka/topics.js';

/** What is requested of brokers that have enough of them and create what they are asked for. */
async function requested(replicationFactor: number): Promise<readonly ITopicConfig[]> {
  let created: readonly ITopicConfig[] = [];
  const admin: Pick<Admin, 'createTopics' | 'listTopics' | 'fetchTopicMetadata' | 'describeConfigs'> = {
    async createTopics({ topics }) {
      created = topics;
      return true;
    },
    listTopics: async () => created.map(({ topic }) => topic),
    fetchTopicMetadata: async () => ({ topics: [{ name: 'any', partitions: [] }] }),
    describeConfigs: async () => ({ resources: [], throttleTime: 0 }),
  };
  await createTopics(admin as Admin, createTopicNames(''), { partitions: 12, replicationFactor });
  return created;
}

const NAME = 'min.insync.replicas';
const inSync = ({ configEntries = [] }: ITopicConfig) =>
  configEntries.filter(({ name }) => name === NAME).map(({ value }) => value);

describe('creation of topics', () => {
  // Regression: the broker's default is 1, so an acknowledged event could exist on a single broker.
  for (const replicationFactor of [3, 5])
    it(`requires two replicas in sync of ${replicationFactor}, in every topic`, async () => {
      const topics = await requested(replicationFactor);
      expect(topics).to.have.length(12);
      for (const topic of topics) expect(inSync(topic), topic.topic).to.deep.equal(['2']);
    });

  for (const replicationFactor of [-1, 1, 2])
    it(`leaves the number of replicas in sync to the broker with a replication factor of ${replicationFactor}`, async () => {
      for (const topic of await requested(replicationFactor)) expect(inSync(topic)).to.deep.equal([]);
    });
});
