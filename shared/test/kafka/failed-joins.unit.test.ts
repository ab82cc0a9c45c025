import { createRequire } from 'node:module';
import { expect } from 'chai';
import kafkajs from 'kafkajs';
import '../../src/kafka/connect.js';
import { patchJoins } from '../../src/kafka/failed-joins.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';
import { sleep } from '../../src/runtime/sleep.js';
import { eventually } from '../../src/testing/eventually.js';

const load = createRequire(import.meta.url);
const ConsumerGroup = load('kafkajs/src/consumer/consumerGroup.js');
const Runner = load('kafkajs/src/consumer/runner.js');
const { KafkaJSConnectionError, KafkaJSProtocolError } = load('kafkajs/src/errors.js');

const quiet = () => {};
const LOG = { debug: quiet, info: quiet, warn: quiet, error: quiet };
const LOGGER = { ...LOG, namespace: () => LOGGER };
const RETRY = { initialRetryTime: 1, maxRetryTime: 1, retries: Number.MAX_SAFE_INTEGER };
const UNKNOWN = { type: 'UNKNOWN_MEMBER_ID', code: 25, message: 'unknown', retriable: false };
const NO_PARTITIONS = kafkajs.AssignerProtocol.MemberAssignment.encode({
  version: 0,
  assignment: {},
  userData: Buffer.alloc(0),
});

describe('a consumer of the Kafka client whose join fails', () => {
  /** The member id of each request to join. */
  let joins: string[];
  let heartbeats: number;
  let isKnown: boolean;
  let isReachable: boolean;
  let onFetch: () => void;
  let runner: { readonly running: boolean; start(): Promise<void>; stop(): Promise<void> };

  beforeEach(async () => {
    joins = [];
    heartbeats = 0;
    isKnown = true;
    isReachable = true;
    onFetch = quiet;
    const coordinator = {
      async joinGroup({ memberId }: { memberId: string }) {
        joins.push(memberId);
        if (!isReachable) throw new KafkaJSConnectionError('Connection error: unreachable');
        isKnown = true;
        return { generationId: 1, leaderId: 'other', memberId: 'member', members: [], groupProtocol: 'any' };
      },
      syncGroup: async () => ({ memberAssignment: NO_PARTITIONS }),
      async heartbeat() {
        heartbeats += 1;
        if (!isKnown) throw new KafkaJSProtocolError(UNKNOWN);
      },
      leaveGroup: async () => {},
    };
    const shared = { logger: LOGGER, retry: RETRY, instrumentationEmitter: { emit: quiet } };
    const consumerGroup = new ConsumerGroup({
      ...shared,
      groupId: 'group',
      topics: [],
      topicConfigurations: {},
      assigners: [],
      maxWaitTimeInMs: 1,
      cluster: {
        connect: async () => {},
        refreshMetadataIfNecessary: async () => onFetch(),
        findGroupCoordinator: async () => coordinator,
        committedOffsets: () => ({}),
        getNodeIds: () => ['1'],
      },
    });
    const reportCrash = (error: unknown) => expect.fail(String(error));
    runner = new Runner({
      ...shared,
      consumerGroup,
      heartbeatInterval: 0,
      onCrash: reportCrash,
      autoCommit: false,
    });
    await runner.start();
    await eventually(() => expect(heartbeats).to.be.above(0));
  });
  afterEach(() => runner.stop());

  // Regression: a dispatcher that its group had removed while the coordinator was unreachable sent no heartbeat any more.
  it('joins again after the group removed it', async () => {
    isReachable = false;
    isKnown = false;
    await eventually(() => expect(joins.slice(0, 4)).to.deep.equal(['', '', '', '']));
    isReachable = true;
    await eventually(() => expect(isKnown).to.equal(true));
    const before = heartbeats;
    await eventually(() => expect(heartbeats).to.be.above(before + 2));
  });

  it('does not join while it stops', async () => {
    isReachable = false;
    isKnown = false;
    onFetch = () => {
      if (joins.length === 2) void runner.stop();
    };
    await eventually(() => expect(runner.running).to.equal(false));
    await sleep(50);
    expect(joins).to.have.length(2);
  });

  it('rejects classes without their methods', () => {
    expect(() => patchJoins(class {}, Runner)).to.throw(UnknownInternals, 'joinAndSync()');
  });
});
