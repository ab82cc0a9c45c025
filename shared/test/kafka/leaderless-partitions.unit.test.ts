import { createRequire } from 'node:module';
import { expect } from 'chai';
import '../../src/kafka/connect.js';
import { NO_LEADER, patchLeaderless } from '../../src/kafka/leaderless-partitions.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

const load = createRequire(import.meta.url);
const Cluster = load('kafkajs/src/cluster/index.js');
const OffsetManager = load('kafkajs/src/consumer/offsetManager/index.js');
const BrokerPool = load('kafkajs/src/cluster/brokerPool.js');
const metadataRequests = load('kafkajs/src/protocol/requests/metadata/index.js');

const quiet = () => {};
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const [LEADER_NOT_AVAILABLE, REPLICA_NOT_AVAILABLE, LISTENER_NOT_FOUND] = [5, 9, 72];
const [UNKNOWN_TOPIC, NOT_AUTHORIZED] = [3, 29];
const MAX_AGE_MS = 300_000;

const aPartition = (partitionId: number, leader = 1, partitionErrorCode = 0) => ({
  partitionErrorCode,
  partitionId,
  leader,
  replicas: [1],
  isr: [1],
  offlineReplicas: [],
});

const aResponse = (partitionMetadata: readonly object[], topicErrorCode = 0) => ({
  brokers: [{ nodeId: 1, host: 'broker', port: 9092, rack: null }],
  controllerId: 1,
  topicMetadata: [{ topicErrorCode, topic: 'events', partitionMetadata }],
});

describe('metadata of the Kafka client', () => {
  for (const version of metadataRequests.versions) {
    const parse = (response: object) =>
      metadataRequests.protocol({ version })({ topics: [] }).response.parse(response);

    it(`has partitions without a leader (version ${version})`, async () => {
      for (const error of [LEADER_NOT_AVAILABLE, REPLICA_NOT_AVAILABLE, LISTENER_NOT_FOUND]) {
        const response = aResponse([aPartition(0), aPartition(1, NO_LEADER, error)]);
        expect(await parse(response)).to.deep.equal(response);
      }
    });

    it(`reports other errors (version ${version})`, async () => {
      const typeOf = (response: object) => parse(response).catch(({ type }: { type: string }) => type);
      const withoutLeader = aPartition(1, NO_LEADER, LEADER_NOT_AVAILABLE);
      expect(await typeOf(aResponse([], LEADER_NOT_AVAILABLE))).to.equal('LEADER_NOT_AVAILABLE');
      expect(await typeOf(aResponse([withoutLeader], UNKNOWN_TOPIC))).to.equal('UNKNOWN_TOPIC_OR_PARTITION');
      const forbidden = aResponse([withoutLeader, aPartition(0, 1, NOT_AUTHORIZED)]);
      expect(await typeOf(forbidden)).to.equal('TOPIC_AUTHORIZATION_FAILED');
    });
  }
});

describe('a cluster of the Kafka client in which a partition has no leader', () => {
  let partitions: readonly object[];
  let asked: unknown[];
  let cluster: {
    brokerPool: {
      metadataExpireAt: number;
      findConnectedBroker: unknown;
      connectBroker: unknown;
      brokers: object;
    };
    addMultipleTargetTopics(topics: string[]): Promise<void>;
    refreshMetadata(): Promise<void>;
    findBroker(node: { nodeId: string }): Promise<unknown>;
    findLeaderForPartitions(topic: string, partitions: number[]): unknown;
  };

  beforeEach(async () => {
    partitions = [aPartition(0), aPartition(1, NO_LEADER, LEADER_NOT_AVAILABLE)];
    asked = [];
    const broker = {
      nodeId: 1,
      connectionPool: { host: 'broker', port: 9092, rack: null },
      isConnected: () => true,
      metadata: async () =>
        metadataRequests.protocol({ version: '6' })({ topics: [] }).response.parse(aResponse(partitions)),
      async listOffsets({
        topics,
      }: {
        topics: readonly { topic: string; partitions: { partition: number }[] }[];
      }) {
        asked.push(topics);
        const responses = topics.map((one) => ({
          topic: one.topic,
          partitions: one.partitions.map(({ partition }) => ({ partition, offset: '7' })),
        }));
        return { responses };
      },
    };
    cluster = new Cluster({
      logger: { ...LOG, namespace: () => LOG },
      brokers: ['broker:9092'],
      metadataMaxAge: MAX_AGE_MS,
      retry: { retries: 0 },
    });
    Object.assign(cluster.brokerPool, { brokers: { 1: broker }, seedBroker: broker });
    await cluster.addMultipleTargetTopics(['events']);
  });

  it('looks for its leader again after two seconds, and then as rarely as usual', async () => {
    expect(cluster.brokerPool.metadataExpireAt - Date.now()).to.be.within(1_000, 2_000);
    partitions = [aPartition(0), aPartition(1)];
    await cluster.refreshMetadata();
    expect(cluster.brokerPool.metadataExpireAt - Date.now()).to.be.within(MAX_AGE_MS - 1_000, MAX_AGE_MS);
  });

  it('refuses only requests to that partition, so that they are tried again', async () => {
    expect(cluster.findLeaderForPartitions('events', [0, 1])).to.deep.equal({ 1: [0], [NO_LEADER]: [1] });
    await cluster.findBroker({ nodeId: '1' });
    const error = await cluster.findBroker({ nodeId: String(NO_LEADER) }).catch((one: Error) => one);
    expect(error).to.include({ name: 'KafkaJSBrokerNotFound', retriable: true });
  });

  it('has the starts of the others for a consumer without committed offsets', async () => {
    const offsets = new OffsetManager({
      cluster,
      coordinator: {
        isConnected: () => true,
        offsetFetch: async ({
          topics,
        }: {
          topics: readonly { topic: string; partitions: { partition: number }[] }[];
        }) => ({
          responses: topics.map((one) => ({
            topic: one.topic,
            partitions: one.partitions.map(({ partition }) => ({ partition, offset: '-1' })),
          })),
        }),
      },
      memberAssignment: { events: [0, 1] },
      topicConfigurations: { events: { fromBeginning: true } },
      groupId: 'group',
    });
    await offsets.resolveOffsets();
    expect(offsets.committedOffsets()).to.deep.equal({ events: { 0: '7', 1: undefined } });
    partitions = [aPartition(0, NO_LEADER, LEADER_NOT_AVAILABLE), aPartition(1)];
    await cluster.refreshMetadata();
    await offsets.resolveOffsets();
    expect(offsets.committedOffsets()).to.deep.equal({ events: { 0: '7', 1: '7' } });
    expect(asked).to.have.length(2);
  });

  it('rejects classes without their methods', () => {
    expect(() => patchLeaderless(class {}, OffsetManager)).to.throw(UnknownInternals, 'refreshMetadata()');
    expect(() => patchLeaderless(BrokerPool, class {})).to.throw(UnknownInternals, 'resolveOffsets()');
  });
});
