import { type SettledEndpoint, targetOf } from '@postrider/shared/domain/endpoint';
import { bytesOfTarget } from '@postrider/shared/domain/endpoint-size';
import { aDelivery, aLastAttempt, anEndpoint, ENDPOINT_ID, idFor } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/endpoint-parts';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import type { Job } from '../../../src/engine/jobs/job.js';
import { rowToSend } from '../../../src/engine/sending/loaded-row.js';
import { createLoader } from '../../../src/engine/sending/loader.js';
import { createUnstartedRows } from '../../../src/engine/sending/unstarted-rows.js';
import { aHandedOver, aJob, deferred, messages, settleDown, turnLimitsBy } from '../builders.js';

/** A loader at time 1,000 over the rows of these jobs. `asked` lists the rows of each read, `endpoints` their number. */
function aWorld(count = 1, { payload = aDelivery().payload } = {}) {
  const stores = createInMemoryStores();
  const endpoint = anEndpoint();
  stores.endpoints.set(ENDPOINT_ID, endpoint);
  const jobs = messages(count, { endpointId: ENDPOINT_ID }).map((message): Job => {
    stores.deliveries.set(message.deliveryId, aDelivery({ id: message.deliveryId, payload }));
    return { ...aJob(message), state: 'queued' };
  });
  const world = {
    time: 1_000,
    queue: [] as Job[],
    asked: [] as number[],
    endpoints: 0,
    reading: Promise.resolve(),
    latest: null as SettledEndpoint | null,
  };
  const unstartedRows = createUnstartedRows(() => world.time);
  const loader = createLoader({
    store: {
      async read(ids) {
        world.asked.push(ids.deliveryIds.length);
        world.endpoints += ids.endpointIds.length;
        await world.reading;
        return stores.settlements.read(ids);
      },
    },
    upcoming: (_job, most) => world.queue.slice(0, most),
    latestStreaks: {
      latest: <T extends SettledEndpoint>(read: T) => (world.latest ?? read) as T,
    },
    unstartedRows,
    monotonicMs: () => world.time,
    turn: turnLimitsBy(() => world.time)(),
  });
  const rowOf = (job: Job) => stores.deliveries.get(job.message.deliveryId)!;
  const keep = (job: Job, { bytes = 1_000, target = endpoint } = {}) =>
    loader.keep(job, {
      message: job.message,
      delivery: rowOf(job),
      endpoint: subscriberOf(target),
      endpointReadAt: world.time,
      bytes,
    });
  const pass = (ms: number) => {
    world.time += ms;
  };
  return Object.assign(world, { pass, loader, unstartedRows, jobs, stores, endpoint, keep, rowOf });
}

/** The size of a kept row that takes half of the room with its endpoint. */
const HALF = 4 * 1_024 * 1_024 - bytesOfTarget(anEndpoint());
const LARGE = { payload: { text: 'x'.repeat(100 * 1_024) } };

describe('loader', () => {
  it('returns a row that was kept, with its endpoint, once and without a read', () => {
    const { loader, keep, jobs, rowOf, endpoint, asked } = aWorld();
    const [job] = jobs;
    expect(loader.atHand(job!)).to.equal(null);
    keep(job!);
    expect(loader.atHand(job!)).to.deep.equal({
      row: rowToSend(rowOf(job!)),
      endpoint: targetOf(subscriberOf(endpoint)),
    });
    expect(loader.atHand(job!)).to.equal(null);
    expect(asked).to.deep.equal([]);
  });

  it('counts the rows that were handed over until they start or are forgotten', () => {
    const { loader, keep, unstartedRows, ...world } = aWorld(500);
    const jobs = world.jobs.map((job) => ({ ...job, handedOver: aHandedOver() }));
    for (const job of jobs) keep(job);
    expect(unstartedRows.areMany()).to.equal(true);
    for (const job of jobs.slice(0, 251)) loader.atHand(job);
    expect(unstartedRows.areMany()).to.equal(false);
    for (const job of jobs.slice(0, 251)) keep(job);
    expect(unstartedRows.areMany()).to.equal(true);
    loader.forget();
    expect(unstartedRows.areMany()).to.equal(false);
  });

  it('reads the endpoint again after 250 ms, but not the row', async () => {
    const world = aWorld();
    const [job] = world.jobs;
    world.keep(job!);
    world.time += 251;
    expect(world.loader.atHand(job!)).to.equal(null);
    world.stores.endpoints.set(ENDPOINT_ID, anEndpoint({ enabled: false }));
    const loaded = await world.loader.load([job!]);
    expect(loaded(job!)?.endpoint).to.include({ enabled: false });
    expect(loaded(job!)?.row).to.deep.equal(rowToSend(world.rowOf(job!)));
    expect([world.asked, world.endpoints]).to.deep.equal([[0], 1]);
  });

  it('uses the read of an endpoint for all rows that were kept before it', async () => {
    const world = aWorld(3);
    const [first, second, third] = world.jobs;
    world.keep(first!);
    world.keep(second!);
    world.time += 251;
    expect(world.loader.atHand(first!)).to.equal(null);
    await world.loader.load([first!]);
    expect(world.loader.atHand(second!)?.row).to.deep.equal(rowToSend(world.rowOf(second!)));
    world.time += 1;
    const disabled = anEndpoint({ enabled: false });
    world.keep(third!, { target: disabled });
    expect(world.loader.atHand(third!)?.endpoint).to.deep.equal(targetOf(subscriberOf(disabled)));
  });

  it('reads the endpoint again if this process has changed its streak', () => {
    const world = aWorld();
    const [job] = world.jobs;
    world.keep(job!);
    world.latest = anEndpoint({ enabled: false, streakVersion: 20 });
    expect(world.loader.atHand(job!)).to.equal(null);
  });

  for (const [name, change] of [
    ['after ten seconds', ({ pass }: ReturnType<typeof aWorld>) => pass(10_001)],
    ['after an assignment of partitions', ({ loader }: ReturnType<typeof aWorld>) => loader.forget()],
  ] as const) {
    it(`reads a row again ${name}`, async () => {
      const world = aWorld();
      world.keep(world.jobs[0]!);
      change(world);
      expect(world.loader.atHand(world.jobs[0]!)).to.equal(null);
      await world.loader.load(world.jobs);
      expect(world.asked).to.deep.equal([1]);
    });
  }

  it('reads rows again that were forgotten during their read', async () => {
    const world = aWorld();
    world.keep(world.jobs[0]!);
    const reading = deferred();
    world.reading = reading.promise;
    const loading = world.loader.load(world.jobs);
    world.loader.forget();
    reading.resolve();
    expect((await loading)(world.jobs[0]!)?.row).to.deep.equal(rowToSend(world.rowOf(world.jobs[0]!)));
    expect(world.asked).to.deep.equal([0, 1]);
  });

  it('has no row for a job that was dropped and added again', () => {
    const { loader, keep, jobs } = aWorld();
    keep(jobs[0]!);
    expect(loader.atHand({ ...jobs[0]! })).to.equal(null);
  });

  it('has no room beyond 8 MiB, until rows are used or outdated', () => {
    const world = aWorld(3);
    const [first, second, third] = world.jobs;
    world.keep(first!, { bytes: HALF });
    world.keep(second!, { bytes: HALF });
    expect(world.loader.hasRoom(1)).to.equal(false);
    world.keep(third!);
    expect(world.loader.atHand(third!)).to.equal(null);
    world.loader.atHand(first!);
    expect(world.loader.hasRoom(HALF)).to.equal(true);
    world.keep(third!, { bytes: HALF });
    world.time += 10_001;
    expect(world.loader.hasRoom(2 * HALF)).to.equal(true);
  });

  it('has room again after an outdated row that was renewed meanwhile', () => {
    const world = aWorld(2);
    const [first, second] = world.jobs;
    world.keep(first!, { bytes: HALF });
    world.time += 5_000;
    world.keep(second!, { bytes: HALF });
    world.keep(first!, { bytes: HALF });
    world.time += 5_001;
    expect(world.loader.hasRoom(HALF)).to.equal(true);
  });

  // Regression: rows of jobs that were dropped stayed in memory until half of the room was used.
  it('forgets outdated rows although there is room', () => {
    const { loader, keep, pass, jobs } = aWorld(1_001);
    const [last, ...others] = jobs;
    for (const job of others) keep(job);
    pass(11_000);
    keep(last!);
    loader.atHand(last!);
    expect(loader.hasRows()).to.equal(false);
  });

  // Regression: 234 KB of JSON were 5 MB of objects, and counted as 234 KB.
  it('keeps the text of a payload, not its objects', () => {
    const { loader, keep, jobs } = aWorld(1, { payload: { eventId: 'evt_1', parts: [{}, {}] } });
    keep(jobs[0]!);
    const row = loader.atHand(jobs[0]!)?.row;
    expect(row).to.include({ eventId: 'evt_1', payloadText: '{"eventId":"evt_1","parts":[{},{}]}' });
    expect(row?.delivery).to.not.have.property('payload');
  });

  // Regression: a row of 1 KiB kept an endpoint of more than 100 KiB.
  it('keeps only what sending needs of an endpoint', () => {
    const { loader, keep, jobs } = aWorld();
    const eventTypes = Array.from({ length: 500 }, (_, index) => `${index}.${'x'.repeat(95)}` as const);
    keep(jobs[0]!, { target: anEndpoint({ eventTypes, filter: '{}' }) });
    expect(loader.atHand(jobs[0]!)?.endpoint).to.deep.include({ subscriptions: [], filter: null });
  });

  it('counts the headers of an endpoint for each row that keeps it', () => {
    const { loader, keep, jobs } = aWorld();
    const sealed = { keyId: 'k', nonce: '', box: 'x'.repeat(4 * 1_024 * 1_024) };
    keep(jobs[0]!, { target: anEndpoint({ headers: { names: ['a'], sealed } }) });
    expect(loader.hasRoom(HALF)).to.equal(false);
    loader.atHand(jobs[0]!);
    expect(loader.hasRoom(2 * HALF)).to.equal(true);
  });

  it('reads missing rows and endpoints as missing', async () => {
    const { loader } = aWorld();
    const job = aJob({ deliveryId: idFor('delivery', 'no'), endpointId: idFor('endpoint', 'no') });
    expect((await loader.load([job]))(job)).to.deep.equal({ row: null, endpoint: null });
  });

  // Regression: all rows of a read were in memory, some with a hundred thousand objects each.
  it('has no result for jobs whose rows were too large for one read', async () => {
    const { loader, jobs } = aWorld(4, { payload: { text: 'x'.repeat(3 * 1_024 * 1_024) } });
    const loaded = await loader.load(jobs);
    expect(jobs.map((job) => loaded(job) !== null)).to.deep.equal([true, true, false, false]);
    const others = jobs.filter((job) => loaded(job) === null);
    const next = await loader.load(others);
    expect(others.map((job) => next(job)?.row?.delivery.id)).to.deep.equal(others.map(({ key }) => key));
  });

  it('serialises large rows in turns of the event loop', async () => {
    const world = aWorld(2);
    const [first, second] = world.jobs;
    let isOver = false;
    const times: boolean[] = [];
    for (const { message } of [first!, second!]) {
      const payload = {
        ...aDelivery().payload,
        toJSON() {
          times.push(isOver);
          world.time += 20;
          setImmediate(() => {
            isOver = true;
          });
          return {};
        },
      };
      world.stores.deliveries.set(message.deliveryId, aDelivery({ id: message.deliveryId, payload }));
    }
    await world.loader.load(world.jobs);
    // The store has serialised them as well.
    expect(times.slice(-2)).to.deep.equal([false, true]);
  });

  it('needs no room in a read for a row that it has', async () => {
    const world = aWorld(4, { payload: { text: 'x'.repeat(3 * 1_024 * 1_024) } });
    const last = world.jobs.at(-1)!;
    world.keep(last);
    const loaded = await world.loader.load(world.jobs);
    expect(world.jobs.map((job) => loaded(job) !== null)).to.deep.equal([true, true, false, true]);
  });

  describe('with jobs that come next', () => {
    /** A world whose endpoint has started 30 jobs in 250 ms. */
    const aKnownWorld = async (count: number, options?: Parameters<typeof aWorld>[1]) => {
      const world = aWorld(31 + count, options);
      await world.loader.load(world.jobs.splice(0, 30));
      world.pass(250);
      await world.loader.load(world.jobs.splice(0, 1));
      world.asked.length = 0;
      return world;
    };

    it('reads their rows along, up to a hundred in all, and each once', async () => {
      const world = await aKnownWorld(120);
      const chunk = world.jobs.slice(0, 4);
      world.queue = world.jobs.slice(4);
      await world.loader.load(chunk);
      expect(world.asked).to.deep.equal([100]);
      for (const job of world.queue.slice(0, 48)) expect(world.loader.atHand(job)).to.not.equal(null);
      expect(world.asked).to.have.length(1);
    });

    it('does not read what another read brings', async () => {
      const world = await aKnownWorld(40);
      const [first, second, ...next] = world.jobs;
      world.queue = next;
      await Promise.all([world.loader.load([first!]), world.loader.load([second!])]);
      expect(world.asked).to.deep.equal([1 + 38, 1]);
    });

    it('reads no more than 4 MiB along, or 16 rows while their size is unknown', async () => {
      const unknown = aWorld(120);
      unknown.queue = unknown.jobs.slice(1);
      await unknown.loader.load(unknown.jobs.slice(0, 1));
      expect(unknown.asked).to.deep.equal([1 + 16]);
      const large = await aKnownWorld(120, LARGE);
      large.queue = large.jobs.slice(1);
      await large.loader.load(large.jobs.slice(0, 1));
      expect(large.asked).to.deep.equal([1 + 40]);
    });

    // Regression: rows were counted with 16 KiB each, so 256 MB of large ones were kept.
    it('keeps no more than 8 MiB, with the rows that are being read', async () => {
      const world = await aKnownWorld(400, LARGE);
      const loads = [0, 1, 2, 3, 4, 5].map((index) => {
        world.queue = world.jobs.slice(60 * index, 60 * (index + 1));
        return world.loader.load(world.queue.splice(0, 1));
      });
      await Promise.all(loads);
      expect(world.asked).to.deep.equal([41, 41, 2, 1, 1, 1]);
    });

    it('reads the next rows when half of them have started, while the others can start', async () => {
      const world = await aKnownWorld(301);
      world.queue = world.jobs.slice(4);
      await world.loader.load(world.jobs.slice(0, 4));
      for (let started = 0; started < 200; started += 1) {
        const job = world.queue.shift()!;
        expect(world.loader.atHand(job), `job ${started}`).to.not.equal(null);
        if (started % 8 === 0) await settleDown(2);
      }
      expect(world.asked[0]).to.equal(100);
      expect(world.asked.length).to.be.within(3, 6);
    });

    it('reads no rows along for which there is no room', async () => {
      const world = await aKnownWorld(43);
      const [filler, job, ...next] = world.jobs;
      world.queue = next;
      const size = JSON.stringify(world.rowOf(job!).payload).length + 1_024;
      world.keep(filler!, { bytes: HALF + 4 * 1_024 * 1_024 - 10 * size });
      await world.loader.load([job!]);
      expect(world.asked).to.deep.equal([11]);
    });

    it('reads no rows along after a read without room for all of its rows, until there is room again', async () => {
      const world = aWorld(6, { payload: { text: 'x'.repeat(3 * 1_024 * 1_024) } });
      await world.loader.load(world.jobs.slice(0, 4));
      world.queue = world.jobs.slice(4);
      await world.loader.load(world.jobs.slice(2, 3));
      await world.loader.load(world.jobs.slice(3, 4));
      expect(world.asked).to.deep.equal([4, 1, 2]);
    });

    // Regression: rows of retries were counted without the last responses of their endpoints.
    it('counts the last responses of a row that it keeps', async () => {
      const world = aWorld(2);
      const [job, next] = world.jobs;
      const lastAttempt = aLastAttempt({ responseBody: 'x'.repeat(4 * 1_024 * 1_024) });
      world.stores.deliveries.set(next!.message.deliveryId, { ...world.rowOf(next!), lastAttempt });
      world.queue = [next!];
      await world.loader.load([job!]);
      expect(world.loader.hasRoom(4 * 1_024 * 1_024)).to.equal(false);
    });

    it('keeps no row of a job that was started meanwhile', async () => {
      const world = aWorld(2);
      const [job, next] = world.jobs;
      world.queue = [next!];
      const reading = deferred();
      world.reading = reading.promise;
      const loading = world.loader.load([job!]);
      next!.state = 'loading';
      reading.resolve();
      await loading;
      next!.state = 'queued';
      expect(world.loader.atHand(next!)).to.equal(null);
    });

    it('does not fail if the rows cannot be read ahead', async () => {
      const world = aWorld(40);
      world.queue = world.jobs.slice(1);
      await world.loader.load(world.jobs.slice(0, 1));
      world.reading = Promise.reject(new Error('no primary'));
      for (const job of world.queue.splice(0, 30)) world.loader.atHand(job);
      await settleDown();
      world.reading = Promise.resolve();
      const [job] = world.queue;
      expect((await world.loader.load([job!]))(job!)?.row).to.deep.equal(rowToSend(world.rowOf(job!)));
    });
  });
});
