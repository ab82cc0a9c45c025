import { createRequire } from 'node:module';
import { expect } from 'chai';
import { patchHeartbeat } from '../../src/kafka/steady-heartbeat.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';

/** The parts of a membership that the tests use; the client does not export its type. */
interface Group {
  memberId: string;
  coordinator: { heartbeat(): Promise<void> };
  lastRequest: number;
  heartbeat(options: { interval: number }): Promise<void>;
}

const load = createRequire(import.meta.url);
const ConsumerGroup = load('kafkajs/src/consumer/consumerGroup.js');
/** `isRebalancing`: after such errors the client's consumer joins again. */
const { isRebalancing, KafkaJSConnectionClosedError, KafkaJSProtocolError } = load('kafkajs/src/errors.js');

const HOUR_MS = 3_600_000;

// Regression: after the services' clocks had run ten minutes ahead for a moment, no consumer sent a heartbeat for ten
// minutes, the group removed all members and nothing was delivered.
describe('patched heartbeat of the Kafka client', () => {
  let beats: number;
  let removed: string[];
  let group: Group;
  const beat = () => group.heartbeat({ interval: HOUR_MS });

  beforeEach(() => {
    beats = 0;
    removed = [];
    group = new ConsumerGroup({
      instrumentationEmitter: { emit() {} },
      topics: [],
      topicConfigurations: {},
      assigners: [],
      cluster: { removeBroker: ({ host }: { host: string }) => removed.push(host) },
      logger: { namespace() {} },
    });
    group.memberId = 'a member';
    group.coordinator = {
      async heartbeat() {
        beats += 1;
      },
    };
  });

  it('continues when the clock is set back', async () => {
    group.lastRequest = Date.now() + HOUR_MS / 2;
    await beat();
    expect(beats).to.equal(1);
  });

  it('keeps its interval', async () => {
    group.lastRequest = 0;
    for (let time = 0; time < 3; time += 1) await beat();
    expect(beats).to.equal(1);
  });

  describe('when no heartbeat reaches the coordinator', () => {
    const CLOSED = new KafkaJSConnectionClosedError('Closed connection', { host: 'broker', port: 9092 });
    const always = { interval: 0 };
    const outcome = () =>
      group.heartbeat(always).then(
        () => 'sent',
        (error) => (isRebalancing(error) ? 'joins again' : error),
      );
    let failures: Error[];
    beforeEach(() => {
      failures = [];
      group.lastRequest = 0;
      group.coordinator.heartbeat = async () => {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
      };
    });

    it('joins again after the second one, to look for the coordinator', async () => {
      failures = [CLOSED, CLOSED, CLOSED, CLOSED];
      expect(await outcome()).to.equal(CLOSED);
      expect(await outcome()).to.equal('joins again');
      expect(await outcome()).to.equal(CLOSED);
      expect(removed).to.deep.equal(['broker', 'broker', 'broker']);
    });

    it('stays in the group when the next one does', async () => {
      failures = [CLOSED];
      expect(await outcome()).to.equal(CLOSED);
      expect(await outcome()).to.equal('sent');
      failures = [CLOSED];
      expect(await outcome()).to.equal(CLOSED);
    });

    // Regression: a connection that was only closed made the group join again, if several batches were being handled.
    it('counts the failure of a heartbeat once for all who wait for it', async () => {
      failures = [CLOSED, CLOSED];
      expect(await Promise.all([outcome(), outcome(), outcome()])).to.deep.equal([CLOSED, CLOSED, CLOSED]);
      expect(await Promise.all([outcome(), outcome()])).to.deep.equal(['joins again', 'joins again']);
    });

    it('leaves what the coordinator answers as it is', async () => {
      const answer = new KafkaJSProtocolError({ type: 'UNKNOWN_MEMBER_ID', code: 25, message: 'unknown' });
      failures = [answer, answer];
      expect([await outcome(), await outcome()]).to.deep.equal([answer, answer]);
    });
  });

  const strangers: readonly (readonly [what: string, consumerGroup: unknown, missing: string])[] = [
    ['that is gone', undefined, 'the class'],
    ['without its method', class {}, 'heartbeat()'],
    [
      'that counts otherwise',
      class {
        async heartbeat() {}
      },
      'this.lastRequest in constructor()',
    ],
  ];
  for (const [what, consumerGroup, missing] of strangers) {
    it(`rejects a class ${what}`, () => {
      expect(() => patchHeartbeat(consumerGroup)).to.throw(UnknownInternals, missing);
    });
  }
});
