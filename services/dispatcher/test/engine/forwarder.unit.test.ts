import type { Queued } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import { aMessage, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createForwarder } from '../../src/engine/forwarder.js';
import { aLog } from './builders.js';

const RETRY: Queued = { topic: retryTopic(1), message: aMessage({ ordinal: 2 }) };
const DEAD: Queued = { topic: DEAD_LETTER_TOPIC, message: aMessage({ ordinal: 7 }) };

/** A forwarder whose broker and database fail the given number of times. */
function aForwarder({ broker = 0, database = 0 } = {}) {
  const calls: unknown[] = [];
  const pauses: number[] = [];
  const log = aLog();
  const left = { broker, database };
  const forwarder = createForwarder({
    async enqueue(queued) {
      left.broker -= 1;
      if (left.broker >= 0) throw new Error('no broker');
      calls.push({ queued });
    },
    store: {
      async postponeDeadLetter(ids, until) {
        left.database -= 1;
        if (left.database >= 0) throw new Error('no primary');
        calls.push({ ids, until });
      },
    },
    pause: async (ms) => void pauses.push(ms),
    log,
  });
  return { forwarder, calls, pauses, log };
}

describe('forwarder', () => {
  it('publishes all messages in one call', async () => {
    const { forwarder, calls, pauses } = aForwarder();
    await forwarder.forward([RETRY, DEAD]);
    expect(calls).to.deep.equal([{ queued: [RETRY, DEAD] }]);
    expect(pauses).to.deep.equal([]);
  });

  it('does not call the broker without messages', async () => {
    const { forwarder, calls } = aForwarder();
    await forwarder.forward([]);
    expect(calls).to.deep.equal([]);
  });

  it('retries until the broker is available, with growing pauses up to five seconds', async () => {
    const { forwarder, calls, pauses, log } = aForwarder({ broker: 7 });
    await forwarder.forward([RETRY]);
    expect(calls).to.deep.equal([{ queued: [RETRY] }]);
    expect(pauses).to.deep.equal([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    expect(log.lines).to.deep.equal(Array.from({ length: 7 }, () => 'warn forward.failed'));
  });

  it('postpones the due time of dead letters before sending them again', async () => {
    const { forwarder, calls } = aForwarder();
    await forwarder.forwardAgain([DEAD], later(60_000));
    expect(calls).to.deep.equal([
      { ids: [DEAD.message.deliveryId], until: later(60_000) },
      { queued: [DEAD] },
    ]);
  });

  it('sends no dead letter again while its due time cannot be postponed', async () => {
    const { forwarder, calls, pauses } = aForwarder({ database: 2, broker: 1 });
    await forwarder.forwardAgain([DEAD], later(60_000));
    expect(calls).to.have.length(2);
    expect(calls[1]).to.deep.equal({ queued: [DEAD] });
    expect(pauses).to.deep.equal([200, 400, 200]);
  });
});
