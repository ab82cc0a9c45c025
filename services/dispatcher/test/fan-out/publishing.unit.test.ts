import { type Enqueue, NotAppended } from '@postrider/shared/ports/queue';
import { aDelivery, anEndpoint, idFor } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/endpoint-parts';
import { expect } from 'chai';
import { createPublishing, type StoredPiece } from '../../src/fan-out/publishing.js';
import { aHandedOver, aLog, settleDown } from '../engine/builders.js';
import { virtualTime } from '../engine/virtual-time.js';
import { anOpenEvent } from './events.js';

/** A piece of so many rows of an endpoint. */
function aPiece(count: number, isHandedOver: boolean, endpointId = idFor('endpoint', 'any')): StoredPiece {
  const rows = Array.from({ length: count }, (_, index) =>
    aDelivery({ id: idFor('delivery', `${index}`), endpointId }),
  );
  return {
    event: anOpenEvent(),
    rows: rows.map((row) => ({
      row,
      endpoint: subscriberOf(anEndpoint()),
      endpointReadAt: 0,
      bytes: 1_024,
    })),
    held: [],
    after: null,
    isLast: true,
    damaged: null,
    handedOver: new Map(isHandedOver ? rows.map(({ id }) => [id, aHandedOver()]) : []),
  };
}

describe('publishing', () => {
  let time: ReturnType<typeof virtualTime>;
  beforeEach(() => {
    time = virtualTime();
  });
  afterEach(() => time.restore());

  /** `sizes` are the numbers of messages that were published together; `queued` and `ended` count pieces. */
  function aWorld() {
    const world = {
      sizes: [] as number[],
      queued: 0,
      ended: 0,
      enqueue: (async (queued) => void world.sizes.push(queued.length)) as Enqueue,
      now: 0,
      log: aLog(),
    };
    const pauses: { readonly endMs: number; readonly end: () => void }[] = [];
    const publishing = createPublishing({
      enqueue: (queued) => world.enqueue(queued),
      onRoom: () => {},
      sleep: (ms) => new Promise((end) => void pauses.push({ endMs: world.now + ms, end })),
      monotonicMs: () => world.now,
      log: world.log,
    });
    const publishAll = async (...pieces: readonly StoredPiece[]) => {
      publishing.publish(pieces, {
        onQueued: (indices) => {
          world.queued += indices.length;
        },
        onDone: (indices) => {
          world.ended += indices.length;
        },
      });
      await settleDown();
    };
    const publish = (rows: number, isHandedOver: boolean) => publishAll(aPiece(rows, isHandedOver));
    /** Lets retries pass some time. */
    const pass = async (ms: number) => {
      for (const until = world.now + ms; world.now < until; world.now += 100) {
        for (const { end } of pauses.filter(({ endMs }) => endMs <= world.now)) end();
        await settleDown();
      }
    };
    return Object.assign(world, { publishing, publish, publishAll, pass });
  }

  it('publishes messages that attempts wait for at once', async () => {
    const world = aWorld();
    await world.publish(2, false);
    expect([world.sizes, world.ended, world.publishing.pending()]).to.deep.equal([[2], 1, 0]);
  });

  /** A piece of rows that are handed over, and what ends their attempts. */
  function aPieceInHand(rows: number) {
    const piece = aPiece(rows, true);
    const ends = [...piece.handedOver.values()].map((handedOver) => () => {
      handedOver.hasEnded = true;
      handedOver.onEnded();
    });
    return { piece, ends };
  }

  it('publishes no messages of rows that are handed over and end', async () => {
    const world = aWorld();
    const { piece, ends } = aPieceInHand(2);
    await world.publishAll(piece);
    ends[0]!();
    expect(world.ended).to.equal(0);
    ends[1]!();
    expect([world.ended, world.publishing.pending()]).to.deep.equal([1, 0]);
    time.tick(2_000);
    await settleDown();
    expect(world.sizes).to.deep.equal([]);
  });

  it('publishes the messages of rows that are handed over and do not end, together after half a second to a second', async () => {
    const world = aWorld();
    const { piece, ends } = aPieceInHand(2);
    await world.publishAll(piece);
    ends[0]!();
    time.tick(499);
    await world.publish(1, true);
    time.tick(500);
    await settleDown();
    expect([world.sizes, world.ended]).to.deep.equal([[], 0]);
    time.tick(1);
    await settleDown();
    expect([world.sizes, world.ended, world.publishing.pending()]).to.deep.equal([[2], 2, 0]);
    ends[1]!();
    expect(world.ended).to.equal(2);
  });

  // Regression: the next owner of an endpoint got the messages of such rows up to a second later.
  it('publishes the messages of rows that are handed over and dropped at once', async () => {
    const world = aWorld();
    const piece = aPiece(2, true);
    await world.publishAll(piece);
    for (const { onDropped } of piece.handedOver.values()) onDropped();
    await settleDown();
    expect([world.sizes, world.ended]).to.deep.equal([[2], 1]);
    time.tick(2_000);
    await settleDown();
    expect(world.sizes).to.deep.equal([2]);
  });

  it('needs no message of a row that has ended before', async () => {
    const world = aWorld();
    const { piece, ends } = aPieceInHand(1);
    ends[0]!();
    await world.publishAll(piece);
    expect(world.ended).to.equal(1);
  });

  it('publishes the messages that attempts wait for before those of rows that are handed over', async () => {
    const world = aWorld();
    await world.publish(2, true);
    await world.publish(1, false);
    expect([world.sizes, world.ended]).to.deep.equal([[1], 1]);
  });

  it('is done at once with an event without deliveries', async () => {
    const world = aWorld();
    await world.publish(0, true);
    expect([world.sizes, world.queued, world.ended]).to.deep.equal([[], 1, 1]);
  });

  it('reports a piece as queued at once if all its rows are handed over, and once', async () => {
    const world = aWorld();
    const { piece, ends } = aPieceInHand(2);
    await world.publishAll(piece);
    expect([world.queued, world.ended]).to.deep.equal([1, 0]);
    ends[0]!();
    time.tick(1_000);
    await settleDown();
    expect([world.queued, world.ended, world.sizes]).to.deep.equal([1, 1, [1]]);
  });

  it('reports a piece as queued when the messages that attempts wait for are published, whatever the other rows do', async () => {
    const world = aWorld();
    const { piece } = aPieceInHand(2);
    const [taken] = piece.handedOver;
    const published = Promise.withResolvers<void>();
    world.enqueue = () => published.promise;
    await world.publishAll({ ...piece, handedOver: new Map([taken!]) });
    expect([world.queued, world.ended]).to.deep.equal([0, 0]);
    published.resolve();
    await settleDown();
    expect([world.queued, world.ended]).to.deep.equal([1, 0]);
  });

  it('publishes at most 1,000 messages together, and those of the other requests if one is refused', async () => {
    const world = aWorld();
    const sizes: number[] = [];
    world.enqueue = async (queued) => {
      sizes.push(queued.length);
      if (sizes.length === 2) throw new Error('too few replicas');
    };
    await world.publishAll(aPiece(1_000, false), aPiece(1_000, false), aPiece(500, false));
    expect([sizes, world.ended]).to.deep.equal([[1_000, 1_000, 500], 2]);
    await world.pass(1_000);
    expect([sizes, world.ended]).to.deep.equal([[1_000, 1_000, 500, 1_000], 3]);
  });

  it('publishes the messages that wait, and all others at once, when it hurries', async () => {
    const world = aWorld();
    await world.publish(2, true);
    world.publishing.hurry();
    await settleDown();
    await world.publish(1, true);
    expect([world.sizes, world.ended]).to.deep.equal([[2, 1], 2]);
  });

  describe('while the partition of one endpoint cannot be appended to', () => {
    const failing = idFor('endpoint', 'failing');
    /** How often the messages of an endpoint were given to the broker. */
    function aBroker(world: ReturnType<typeof aWorld>) {
      const given = new Map<string, number>();
      world.enqueue = async (queued) => {
        for (const { message } of queued)
          given.set(message.endpointId, (given.get(message.endpointId) ?? 0) + 1);
        const indices = queued.flatMap(({ message }, index) =>
          message.endpointId === failing ? [index] : [],
        );
        const cause = new Error('too few replicas');
        if (indices.length === queued.length) throw cause;
        if (indices.length > 0) throw new NotAppended(new Set(indices), { cause });
      };
      return given;
    }

    it('ends the other pieces, publishes none of their messages again, and lets no rows wait', async () => {
      const world = aWorld();
      const given = aBroker(world);
      await world.publishAll(aPiece(2, false, failing), aPiece(1, false));
      expect([world.ended, world.publishing.pending()]).to.deep.equal([1, 0]);
      await world.publishAll(aPiece(1, false));
      await world.pass(5_000);
      expect(world.ended).to.equal(2);
      expect(given.get(idFor('endpoint', 'any'))).to.equal(2);
      expect(given.get(failing)).to.be.within(6, 12);
    });

    it('ends the piece once its messages are appended', async () => {
      const world = aWorld();
      aBroker(world);
      await world.publishAll(aPiece(2, false, failing));
      await world.pass(1_000);
      expect(world.ended).to.equal(0);
      world.enqueue = async (queued) => void world.sizes.push(queued.length);
      await world.pass(2_000);
      expect([world.ended, world.sizes]).to.deep.equal([1, [2]]);
    });

    it('leaves messages to their rows after half a minute, and further ones at once', async () => {
      const world = aWorld();
      aBroker(world);
      await world.publishAll(aPiece(2, false, failing));
      await world.pass(29_000);
      expect(world.ended).to.equal(0);
      await world.pass(5_000);
      expect(world.ended).to.equal(1);
      await world.publishAll(aPiece(1, false, failing));
      expect(world.ended).to.equal(2);
      expect(new Set(world.log.lines)).to.deep.equal(new Set(['warn fan_out.failed']));
      expect(world.log.lines.length).to.be.within(2, 5);
    });

    it('tries again when it fails again later', async () => {
      const world = aWorld();
      aBroker(world);
      await world.publishAll(aPiece(1, false, failing));
      await world.pass(40_000);
      await world.pass(15_000);
      await world.publishAll(aPiece(1, false, failing));
      expect(world.ended).to.equal(1);
    });

    it('lets at most 5,000 messages wait', async () => {
      const world = aWorld();
      aBroker(world);
      await world.publishAll(aPiece(5_000, false, failing));
      expect(world.ended).to.equal(0);
      await world.publishAll(aPiece(1, false, failing));
      expect(world.ended).to.equal(1);
    });

    it('neither tries nor leaves messages after a stop, so that their events are repeated', async () => {
      const world = aWorld();
      const given = aBroker(world);
      await world.publishAll(aPiece(1, false, failing));
      world.publishing.stop();
      await world.publishAll(aPiece(1, false, failing));
      await world.pass(40_000);
      expect([world.ended, given.get(failing)]).to.deep.equal([0, 2]);
    });
  });
});
