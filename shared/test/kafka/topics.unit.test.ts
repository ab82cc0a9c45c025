import { expect } from 'chai';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import { createTopicNames } from '../../src/kafka/topic-names.js';
import { createTopics } from '../../src/kafka/topics.js';

type ReasonOf = (topic: ITopicConfig) => string | null;

/** Brokers that create what they are asked for, except topics for which there is a reason not to. */
function brokers(reasonOf: ReasonOf, existing: readonly string[] = []) {
  const created = new Map<string, ITopicConfig>(existing.map((topic) => [topic, { topic }]));
  const requests: (readonly ITopicConfig[])[] = [];
  const admin: Pick<Admin, 'createTopics' | 'listTopics' | 'fetchTopicMetadata' | 'describeConfigs'> = {
    async createTopics({ topics }) {
      requests.push(topics);
      const errors = topics.flatMap((config) => {
        const type = created.has(config.topic) ? 'TOPIC_ALREADY_EXISTS' : reasonOf(config);
        if (type === null) created.set(config.topic, config);
        return type === null ? [] : [refusal(config.topic, type)];
      });
      // As the client does.
      if (errors.some(({ type }) => type !== 'TOPIC_ALREADY_EXISTS'))
        throw new kafkajs.KafkaJSAggregateError('Topic creation errors', errors);
      return errors.length === 0;
    },
    listTopics: async () => [...created.keys()],
    fetchTopicMetadata: async () => ({ topics: [{ name: 'any', partitions: [] }] }),
    describeConfigs: async () => ({ resources: [], throttleTime: 0 }),
  };
  return { admin: admin as Admin, created, requests };
}

function refusal(topic: string, type: string) {
  return Object.assign(new Error('It was refused'), { topic, type });
}

const SHAPE = { partitions: 12, replicationFactor: 3 };
const NAMES = createTopicNames('');
const settingsOf = (config?: ITopicConfig) =>
  Object.fromEntries((config?.configEntries ?? []).map(({ name, value }) => [name, value]));

/** What is requested of brokers that have enough of them and create what they are asked for. */
async function requested(replicationFactor: number): Promise<readonly ITopicConfig[]> {
  const { admin, created } = brokers(() => null);
  const { withoutSegments } = await createTopics(admin, NAMES, { partitions: 12, replicationFactor });
  expect(withoutSegments).to.equal(false);
  return [...created.values()];
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

  // Regression: managed brokers allow no segments of 15 minutes, so nothing could be installed there.
  for (const type of ['POLICY_VIOLATION', 'INVALID_CONFIG'])
    it(`leaves the size of segments to brokers that refuse it with ${type}, and requests the rest`, async () => {
      const { admin, created } = brokers((topic) => ('segment.ms' in settingsOf(topic) ? type : null));
      expect(await createTopics(admin, NAMES, SHAPE)).to.deep.equal({ withoutSegments: true });
      expect(created).to.have.lengthOf(12);
      expect(settingsOf(created.get('webhook.outcomes'))).to.deep.equal({
        'retention.ms': '3600000',
        'min.insync.replicas': '2',
      });
    });

  it('states what was requested for topics whose settings are refused', async () => {
    const { admin } = brokers(({ topic }) => (/outcomes|dlq/.test(topic) ? 'POLICY_VIOLATION' : null));
    const error = await createTopics(admin, NAMES, SHAPE).catch((error: Error) => error);
    expect(error)
      .to.have.property('message')
      .that.equals(
        'the broker did not create webhook.outcomes: It was refused (POLICY_VIOLATION); requested were 12 partitions, replication factor 3, ' +
          'retention.ms=3600000, min.insync.replicas=2: create the topic with values that the broker allows, then run "admin migrate" again; ' +
          'nor webhook.deliveries.dlq: It was refused (POLICY_VIOLATION); requested were 12 partitions, replication factor 3, ' +
          'retention.ms=604800000, min.insync.replicas=2, message.timestamp.type=LogAppendTime: create the topic with values that the ' +
          'broker allows, then run "admin migrate" again',
      );
  });

  it('reports other reasons after one request', async () => {
    const { admin, requests } = brokers(() => 'INVALID_REPLICATION_FACTOR');
    const error = await createTopics(admin, NAMES, SHAPE).catch((error: Error) => error);
    expect(error)
      .to.have.property('message')
      .that.matches(/3 replicas need as many brokers/);
    expect(requests).to.have.length(1);
  });

  it('does not request topics that exist', async () => {
    const existing = (await requested(3)).map(({ topic }) => topic);
    const all = brokers(() => 'POLICY_VIOLATION', existing);
    expect(await createTopics(all.admin, NAMES, SHAPE)).to.deep.equal({ withoutSegments: false });
    expect(all.requests).to.deep.equal([]);
    const some = brokers(() => null, existing.slice(1));
    await createTopics(some.admin, NAMES, SHAPE);
    expect(some.requests.map((topics) => topics.map(({ topic }) => topic))).to.deep.equal([
      ['workspace.events'],
    ]);
  });
});
