import { aDelivery, anEndpoint, idFor } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { createPublishing, type StoredPiece } from '../../src/fan-out/publishing.js';
import { aLog, settleDown } from '../engine/builders.js';
import { virtualTime } from '../engine/virtual-time.js';
import { anOpenEvent } from './events.js';

/** A piece of so many rows. */
function aPiece(rows: number, isHandedOver: boolean): StoredPiece {
  return {
    event: anOpenEvent(),
    rows: Array.from({ length: rows }, (_, index) => ({
      row: aDelivery({ id: idFor('delivery', `${index}`) }),
      endpoint: subscriberOf(anEndpoint()),
      endpointReadAt: 0,
      bytes: 1_024,
    })),
    held: [],
    after: null,
    isLast: true,
    isHandedOver,
  };
}

describe('publishing', () => {
  let time: ReturnType<typeof virtualTime>;
  beforeEach(() => {
    time = virtualTime();
  });
  afterEach(() => time.restore());

  /** `sizes` are the numbers of messages that were published together; `ended` counts the calls that are done. */
  function aWorld() {
    const world = { sizes: [] as number[], ended: 0 };
    const publishing = createPublishing({
      enqueue: async (queued) => void world.sizes.push(queued.length),
      pause: async () => {},
      log: aLog(),
    });
    const publish = async (rows: number, isHandedOver: boolean) => {
      void publishing.publish([aPiece(rows, isHandedOver)]).then(() => {
        world.ended += 1;
      });
      await settleDown();
    };
    return Object.assign(world, { publishing, publish });
  }

  it('publishes messages that attempts wait for at once', async () => {
    const world = aWorld();
    await world.publish(2, false);
    expect([world.sizes, world.ended, world.publishing.pending()]).to.deep.equal([[2], 1, 0]);
  });

  it('gathers the messages of rows that are handed over for half a second', async () => {
    const world = aWorld();
    await world.publish(2, true);
    time.tick(300);
    await world.publish(1, true);
    time.tick(199);
    await settleDown();
    expect([world.sizes, world.ended, world.publishing.pending()]).to.deep.equal([[], 0, 3]);
    time.tick(1);
    await settleDown();
    expect([world.sizes, world.ended, world.publishing.pending()]).to.deep.equal([[3], 2, 0]);
  });

  it('publishes gathered messages with the next ones that attempts wait for', async () => {
    const world = aWorld();
    await world.publish(2, true);
    await world.publish(1, false);
    expect([world.sizes, world.ended]).to.deep.equal([[3], 2]);
    time.tick(500);
    await settleDown();
    expect(world.sizes).to.deep.equal([3]);
  });

  it('gathers at most 100 messages', async () => {
    const world = aWorld();
    await world.publish(99, true);
    await world.publish(1, true);
    expect(world.sizes).to.deep.equal([100]);
  });

  it('is done at once with an event without deliveries', async () => {
    const world = aWorld();
    await world.publish(0, true);
    expect([world.sizes, world.ended]).to.deep.equal([[], 1]);
  });

  it('publishes gathered messages, and all others at once, when it hurries', async () => {
    const world = aWorld();
    await world.publish(2, true);
    world.publishing.hurry();
    await settleDown();
    await world.publish(1, true);
    expect([world.sizes, world.ended]).to.deep.equal([[2, 1], 2]);
  });
});
