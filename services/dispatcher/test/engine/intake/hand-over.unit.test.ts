import type { Delivery } from '@postrider/shared/domain/delivery';
import { aDelivery, aMessage, anEndpoint, ENDPOINT_ID, idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createHandOver } from '../../../src/engine/intake/hand-over.js';
import { type Job, jobKey } from '../../../src/engine/jobs/job.js';
import { sourceAt } from '../builders.js';
import { ANSWERED, aWorkload, DUE, JOBS } from '../jobs/a-workload.js';

/** A hand-over into a workload with room for ten jobs, of which one endpoint may have half. */
function aWorld() {
  const { work, scheduler, parking, done } = aWorkload();
  const world = {
    isOwned: true,
    endpoint: anEndpoint(),
    mayStart: true,
    hasRoom: true,
    added: 0,
    kept: [] as Job[],
  };
  const handOver = createHandOver({
    workload: work,
    scheduler,
    loader: { keep: (job) => void world.kept.push(job), hasRoom: () => world.hasRoom },
    isOwned: () => world.isOwned,
    mayStart: () => world.mayStart,
    onAdded: () => {
      world.added += 1;
    },
  });
  const offer = (...rows: readonly Delivery[]) =>
    handOver(
      rows.map((delivery) => ({
        message: aMessage({ deliveryId: delivery.id }),
        delivery,
        endpoint: world.endpoint,
        endpointReadAt: 1_000,
        bytes: 100,
      })),
    );
  return Object.assign(world, { work, scheduler, parking, done, offer });
}

const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => aDelivery({ id: idFor('delivery', `${index}`) }));

describe('hand-over', () => {
  it('adds a job for each row and keeps the row for it', () => {
    const { offer, work, kept, ...world } = aWorld();
    const [one, two] = rows(2);
    expect([...offer(one!, two!).keys()]).to.deep.equal([one!.id, two!.id]);
    expect(kept.map(({ message }) => message.deliveryId)).to.deep.equal([one!.id, two!.id]);
    expect(work.next()).to.equal(kept[0]);
    expect(world.added).to.equal(0);
  });

  it('lets jobs start once for all rows', () => {
    const world = aWorld();
    world.offer(...rows(2));
    expect(world.added).to.equal(1);
    world.isOwned = false;
    world.offer(aDelivery());
    expect(world.added).to.equal(1);
  });

  for (const [name, prevent] of [
    ['of endpoints that may be those of another process', { isOwned: false }],
    ['while nothing may start', { mayStart: false }],
    ['while there is no room for rows', { hasRoom: false }],
  ] as const) {
    it(`takes no rows ${name}`, () => {
      const world = aWorld();
      Object.assign(world, prevent);
      expect(world.offer(aDelivery()).size).to.equal(0);
      expect(world.work.size()).to.equal(0);
    });
  }

  it('takes no row whose payload the database stores with other characters', () => {
    const { offer } = aWorld();
    const broken = aDelivery({ id: idFor('delivery', 'broken'), payload: { text: '\ud800' } });
    const whole = aDelivery({ payload: { text: '😀' } });
    expect([...offer(broken, whole).keys()]).to.deep.equal([whole.id]);
  });

  it('takes rows as long as the budget admits jobs of the endpoint', () => {
    const { offer, work } = aWorld();
    expect(offer(...rows(JOBS)).size).to.equal(JOBS / 2);
    expect(work.size()).to.equal(JOBS / 2);
  });

  describe('for an endpoint that is behind', () => {
    const BEHIND = { endpointId: ENDPOINT_ID, workspaceId: aDelivery().workspaceId };

    it('adds no job, and needs no message: the row will be fed', () => {
      const { offer, parking, work } = aWorld();
      parking.park(BEHIND);
      const row = aDelivery();
      expect(offer(row).get(row.id)?.hasEnded).to.equal(true);
      expect(work.size()).to.equal(0);
    });

    it('needs no message for a row that is too large for memory', () => {
      const world = aWorld();
      world.parking.park(BEHIND);
      world.hasRoom = false;
      expect(world.offer(aDelivery()).size).to.equal(1);
    });

    it('takes note of its new origin, of which nothing is known', () => {
      const world = aWorld();
      world.offer(aDelivery());
      const job = world.work.next()!;
      world.work.confirm(job, { origin: 'https://old.test', failing: false, bytes: 1_000 });
      world.work.release(job, { durationMs: 10_000, timedOut: true });
      world.parking.park(BEHIND);
      expect(world.scheduler.standing(ENDPOINT_ID)).to.equal('silent');
      world.endpoint = anEndpoint({ url: 'https://new.test/hooks' });
      world.offer(...rows(1));
      expect(world.scheduler.standing(ENDPOINT_ID)).to.equal('new');
    });

    it('keeps it parked after a query that began before the row was stored', () => {
      const { offer, parking } = aWorld();
      parking.park(BEHIND);
      parking.next('new', () => true);
      offer(aDelivery());
      const end = { foundNothingNew: true, workspaceId: null, now: 0, refillBelow: 1 };
      expect(parking.queryEnded(ENDPOINT_ID, { ...end, isBehind: false })).to.equal(false);
      expect(parking.isParked(ENDPOINT_ID)).to.equal(true);
    });

    it('needs the message if another process may own the endpoint', () => {
      const world = aWorld();
      world.parking.park(BEHIND);
      world.isOwned = false;
      expect(world.offer(aDelivery()).size).to.equal(0);
    });
  });

  it('takes no row that has a job already', () => {
    const { offer, work } = aWorld();
    work.addMessage(aMessage(), sourceAt(1), DUE);
    expect(offer(aDelivery()).size).to.equal(0);
  });

  describe('of a row', () => {
    /** A row that was taken; `seen` counts how often it ended. */
    function oneTaken() {
      const { offer, work } = aWorld();
      const row = aDelivery();
      const taken = offer(row).get(row.id)!;
      const seen = { ends: 0 };
      taken.onEnded = () => {
        seen.ends += 1;
      };
      return { work, taken, seen };
    }

    it('has ended once its job is finished', () => {
      const { work, taken, seen } = oneTaken();
      const job = work.next()!;
      work.release(job, ANSWERED);
      expect([taken.hasEnded, seen.ends]).to.deep.equal([false, 0]);
      work.finish(job);
      expect([taken.hasEnded, seen.ends]).to.deep.equal([true, 1]);
    });

    it('has ended once it is acknowledged, and ends once', () => {
      const { work, taken, seen } = oneTaken();
      const job = work.next()!;
      work.acknowledge(job);
      work.finish(job);
      expect([taken.hasEnded, seen.ends]).to.deep.equal([true, 1]);
    });

    it('has ended once its endpoint is parked: its row will be fed', () => {
      const { offer, work } = aWorld();
      const row = aDelivery();
      const taken = offer(row).get(row.id)!;
      work.parkQueueOf(jobKey(aMessage()));
      expect(taken.hasEnded).to.equal(true);
    });

    it('has not ended when its partition is lost: the next owner needs its message', () => {
      const { offer, work } = aWorld();
      const taken = [...offer(...rows(3)).values()];
      const delayed = work.next()!;
      work.release(delayed, null);
      work.wait(delayed, DUE + 1_000);
      const running = work.next()!;
      work.keepOnly(() => false);
      work.release(running, null);
      work.requeue(running);
      expect(taken.map(({ hasEnded }) => hasEnded)).to.deep.equal([false, false, false]);
      expect(work.size()).to.equal(0);
    });
  });

  describe('of a row whose message arrives', () => {
    it('before it starts adds the offset to its job', () => {
      const { offer, work, done } = aWorld();
      offer(aDelivery());
      work.addMessage(aMessage(), sourceAt(1), DUE);
      const job = work.next()!;
      expect(work.next()).to.equal(null);
      work.release(job, ANSWERED);
      work.finish(job);
      expect(done).to.deep.equal([sourceAt(1)]);
    });

    it('while its POST is in flight adds the offset to its job', () => {
      const { offer, work, done } = aWorld();
      offer(aDelivery());
      const job = work.next()!;
      work.addMessage(aMessage(), sourceAt(1), DUE);
      expect(done).to.deep.equal([]);
      work.finish(job);
      expect(done).to.deep.equal([sourceAt(1)]);
    });

    it('after it ended marks the offset as done, and starts nothing', () => {
      const { offer, work, done } = aWorld();
      offer(aDelivery());
      const job = work.next()!;
      work.release(job, ANSWERED);
      work.finish(job);
      work.addMessage(aMessage(), sourceAt(1), DUE);
      expect(done).to.deep.equal([sourceAt(1)]);
      expect(work.size()).to.equal(0);
    });

    it('after its attempt was put aside marks the offset as done, and the job stays', () => {
      const { offer, work, done } = aWorld();
      offer(aDelivery());
      const job = work.next()!;
      work.release(job, ANSWERED);
      work.acknowledge(job);
      work.addMessage(aMessage(), sourceAt(1), DUE);
      expect(done).to.deep.equal([sourceAt(1)]);
      expect(work.size()).to.equal(1);
    });

    it('after its endpoint was parked marks the offset as done: its row will be fed', () => {
      const { offer, work, parking, done } = aWorld();
      offer(aDelivery());
      work.parkQueueOf(jobKey(aMessage()));
      work.addMessage(aMessage(), sourceAt(1), DUE);
      expect(done).to.deep.equal([sourceAt(1)]);
      expect(parking.isParked(ENDPOINT_ID)).to.equal(true);
      expect(work.size()).to.equal(0);
    });

    it('after its partition was lost and is back adds a job', () => {
      const { offer, work, done } = aWorld();
      offer(aDelivery());
      work.keepOnly(() => false);
      work.keepOnly(() => true);
      work.addMessage(aMessage(), sourceAt(1), DUE);
      expect(work.size()).to.equal(1);
      expect(done).to.deep.equal([]);
    });
  });
});
