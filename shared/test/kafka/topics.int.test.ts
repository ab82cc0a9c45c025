import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import kafkajs, { type Admin } from 'kafkajs';
import { createKafkaClient } from '../../src/kafka/connect.js';
import { createTopicNames } from '../../src/kafka/topic-names.js';
import { checkTopics, createTopics, withKafkaAdmin } from '../../src/kafka/topics.js';
import { createLog } from '../../src/runtime/log.js';
import { eventually } from '../../src/testing/eventually.js';

const SHAPE = { partitions: 2, replicationFactor: 1 };
const log = createLog({ service: 'test', level: 'silent', pretty: false });
const options = { brokers: (process.env.KAFKA_BROKERS ?? '').split(','), service: 'test', log };

describe('topics', () => {
  let admin: Admin;
  const prefix = `t${randomBytes(4).toString('hex')}`;
  const usual = createTopicNames(`${prefix}.usual.`);
  const settingsOf = async (name: string) => {
    const resource = { type: kafkajs.ConfigResourceTypes.TOPIC, name };
    const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [resource] });
    return new Map(resources[0]?.configEntries.map((entry) => [entry.configName, entry.configValue]));
  };
  const reasonOf = (attempt: Promise<unknown>) => attempt.then(String, (error: Error) => error.message);

  before(async () => {
    admin = createKafkaClient(options).admin();
    await admin.connect();
  });
  after(async () => {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(prefix));
    await admin.deleteTopics({ topics });
    await admin.disconnect();
  });

  it('are reported missing before they are created, with all names and the remedy', async () => {
    const reason = await reasonOf(checkTopics(admin, createTopicNames(`${prefix}.none.`)));
    const listed = [
      'workspace.events',
      'workspace.notifications',
      'webhook.outcomes',
      'webhook.deliveries',
      ...[1, 2, 3, 4, 5, 6].map((tier) => `webhook.deliveries.retry.${tier}`),
      'webhook.deliveries.dlq',
      'webhook.quarantine',
    ].map((topic) => `${prefix}.none.${topic}`);
    expect(reason).to.equal(`Kafka has no topic ${listed.join(', ')}: run "admin migrate"`);
  });

  it('are created with the requested partitions', async () => {
    await createTopics(admin, usual, SHAPE);
    expect(await checkTopics(admin, usual)).to.equal(2);
  });

  it('are not changed when they are created again with another shape', async () => {
    await createTopics(admin, usual, { ...SHAPE, partitions: 5 });
    expect(await checkTopics(admin, usual)).to.equal(2);
  });

  it('are completed when some exist', async () => {
    const some = createTopicNames(`${prefix}.some.`);
    const topic = some.full('workspace.events');
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: false });
    await eventually(async () => expect(await reasonOf(checkTopics(admin, some))).not.to.include(topic));
    await createTopics(admin, some, SHAPE);
    expect(await checkTopics(admin, some)).to.equal(2);
  });

  // The client only reports "Topic creation errors".
  it('are not created with more replicas than brokers, and the error contains each topic, the reason and the remedy', async () => {
    const copied = createTopicNames(`${prefix}.copied.`);
    const topic = copied.full('workspace.events');
    await admin.createTopics({ topics: [{ topic, numPartitions: 1 }], waitForLeaders: false });
    await eventually(async () => expect(await admin.listTopics()).to.include(topic));
    const reason = await reasonOf(
      withKafkaAdmin(options, (asked) => createTopics(asked, copied, { ...SHAPE, replicationFactor: 3 })),
    );
    expect(reason)
      .to.match(/^the broker did not create .*workspace\.notifications: Replication-factor is invalid /)
      .and.to.include(copied.full('webhook.quarantine'))
      .and.to.match(/INVALID_REPLICATION_FACTOR\); 3 replicas .* change TOPIC_REPLICATION_FACTOR/)
      .and.not.to.include(topic);
  });

  // Regression: after more partitions were added, a lost topic was created with the number of the setting, which is refused.
  it('of deliveries are created with the number of partitions that the others have', async () => {
    const grown = createTopicNames(`${prefix}.grown.`);
    const topic = grown.full('webhook.deliveries.retry.3');
    const usualTime = [{ name: 'message.timestamp.type', value: 'LogAppendTime' }];
    await admin.createTopics({
      topics: [{ topic, numPartitions: 3, replicationFactor: 1, configEntries: usualTime }],
      waitForLeaders: false,
    });
    await eventually(async () => expect(await admin.listTopics()).to.include(topic));
    await createTopics(admin, grown, SHAPE);
    expect(await checkTopics(admin, grown)).to.equal(3);
    const { topics } = await admin.fetchTopicMetadata({ topics: [grown.full('workspace.events')] });
    expect(topics[0]?.partitions).to.have.length(SHAPE.partitions);
  });

  it('of deliveries must have the same number of partitions', async () => {
    const uneven = createTopicNames(`${prefix}.uneven.`);
    const counts = [
      [uneven.full('webhook.deliveries.retry.3'), 3],
      [uneven.full('webhook.deliveries.retry.4'), 2],
    ] as const;
    await admin.createTopics({
      topics: counts.map(([topic, numPartitions]) => ({ topic, numPartitions, replicationFactor: 1 })),
      waitForLeaders: false,
    });
    await eventually(async () =>
      expect(await admin.listTopics()).to.include.members(counts.map(([topic]) => topic)),
    );
    const reason = await reasonOf(createTopics(admin, uneven, SHAPE));
    expect(reason).to.match(/^the delivery topics must have the same partition count/);
    for (const [topic, count] of counts) expect(reason).to.include(`${topic} ${count}`);
  });

  it('of retries must use append time', async () => {
    const dated = createTopicNames(`${prefix}.dated.`);
    const topic = dated.full('webhook.deliveries.retry.4');
    await admin.createTopics({
      topics: [{ topic, numPartitions: 2, replicationFactor: 1 }],
      waitForLeaders: false,
    });
    expect(await reasonOf(createTopics(admin, dated, SHAPE))).to.equal(
      `the retry topics must have message.timestamp.type=LogAppendTime, which is not set on ${topic}: alter the topic`,
    );
  });

  // Regression: managed brokers refuse small segments. This one refuses segments of no length.
  it('of outcomes are created with the segments of the broker if it refuses those that are requested', async () => {
    const strict = createTopicNames(`${prefix}.strict.`);
    const unacceptable = (entries: readonly { name: string; value: string }[]) =>
      entries.map(({ name, value }) => ({ name, value: name === 'segment.ms' ? '0' : value }));
    const refusing: Admin = {
      ...admin,
      createTopics: ({ topics, ...rest }) =>
        admin.createTopics({
          ...rest,
          topics: topics.map((one) => ({ ...one, configEntries: unacceptable(one.configEntries ?? []) })),
        }),
    };
    expect(await createTopics(refusing, strict, SHAPE)).to.deep.equal({ withoutSegments: true });
    const settings = await settingsOf(strict.full('webhook.outcomes'));
    expect(settings.get('retention.ms')).to.equal(String(60 * 60 * 1_000));
    expect(settings.get('segment.ms')).to.equal(
      (await settingsOf(strict.full('workspace.events'))).get('segment.ms'),
    );
  });

  it('of deliveries use append time and those of events do not; both are retained for a week', async () => {
    const configOf = async (topic: string) => {
      const settings = await settingsOf(usual.full(topic));
      return [settings.get('message.timestamp.type'), settings.get('retention.ms')];
    };
    const week = String(7 * 24 * 60 * 60 * 1_000);
    expect(await configOf('webhook.deliveries.retry.1')).to.deep.equal(['LogAppendTime', week]);
    expect(await configOf('webhook.deliveries')).to.deep.equal(['LogAppendTime', week]);
    expect(await configOf('workspace.events')).to.deep.equal(['CreateTime', week]);
  });

  it('cannot be checked without a broker, and the error states that soon', async () => {
    const started = performance.now();
    const nowhere = { ...options, brokers: ['127.0.0.1:1'] };
    expect(await reasonOf(withKafkaAdmin(nowhere, (asked) => checkTopics(asked, usual)))).to.match(
      /ECONNREFUSED|Connection/,
    );
    expect(performance.now() - started).to.be.below(3_000);
  });
});
