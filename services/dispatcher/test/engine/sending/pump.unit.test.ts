import { summaryOf } from '@postrider/shared/domain/delivery';
import { settledOf } from '@postrider/shared/domain/endpoint';
import {
  aCancellation,
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  DELIVERY_ID,
  ENDPOINT_ID,
  later,
} from '@postrider/shared/testing/builders';
import { endpointTargetOf } from '@postrider/shared/testing/endpoint-parts';
import { expect } from 'chai';
import type { Job } from '../../../src/engine/jobs/job.js';
import type { SentAttempt } from '../../../src/engine/sending/send-attempt.js';
import { NO_GUARD } from '../../../src/ports/guard.js';
import { aJob, aSentAttempt, deferred, END, settleDown } from '../builders.js';
import { aPump, pumpOne } from './a-pump.js';

function jobs(count: number): Job[] {
  return Array.from({ length: count }, (_, index) =>
    aJob({ deliveryId: `d${index}`, endpointId: `e${index % 2}` }),
  );
}

const { key } = aJob();
const UNDECRYPTABLE = { kind: 'undecryptable', error: new Error('unknown key') } as const;
const EVENT_ID = aDelivery().payload.eventId;

describe('pump', () => {
  it('sends due deliveries, settles their results and frees their slots with the end of the POST', async () => {
    const world = aPump();
    const job = await pumpOne(world);
    expect(world.attempted).to.deep.equal([key]);
    expect(world.released).to.deep.equal([{ key, end: END }]);
    const known = { delivery: summaryOf(aDelivery()), endpoint: settledOf(endpointTargetOf(anEndpoint())) };
    expect(world.entries).to.deep.equal([
      { job, observation: anAttemptObservation(), known, eventId: EVENT_ID },
    ]);
    expect(world.passedOn).to.deep.equal([]);
  });

  for (const [name, endpoint] of [
    ['disabled', anEndpoint({ enabled: false })],
    ['deleted', anEndpoint({ deletedAt: later(-1) })],
    ['missing', null],
  ] as const) {
    it(`closes a delivery whose endpoint is ${name} without a POST`, async () => {
      const world = aPump();
      world.endpoint = endpoint;
      const job = await pumpOne(world);
      expect(world.attempted).to.deep.equal([]);
      expect(world.released).to.deep.equal([{ key, end: null }]);
      // Regression: with payloads, closed deliveries that waited for the database could fill the memory.
      const known = {
        delivery: summaryOf(world.row!),
        endpoint: endpoint && settledOf(endpointTargetOf(endpoint)),
      };
      expect(world.entries).to.deep.equal([{ job, observation: aCancellation(), known, eventId: EVENT_ID }]);
    });
  }

  const failed = { status: 'failed', attempts: 1 } as const;
  const cases = [
    ['whose row is missing', null, 1, { do: 'done' }],
    ['of a delivered row', aDelivery({ status: 'delivered', dueAt: null }), 1, { do: 'done' }],
    ['of an attempt made long ago', aDelivery({ ...failed, attempts: 3 }), 2, { do: 'done' }],
    ['whose message is too early', aDelivery(), 2, { do: 'done' }],
    ['that is not due', aDelivery({ dueAt: later(1) }), 1, { do: 'wait', until: later(1) }],
    [
      'whose retry may be lost',
      aDelivery({ ...failed, dueAt: later(9) }),
      1,
      { do: 'retry', ordinal: 2, tier: 1 },
    ],
    ['of an exhausted row', aDelivery({ ...failed, attempts: 7 }), 7, { do: 'dead-letter' }],
  ] as const;
  for (const [name, row, ordinal, step] of cases) {
    it(`passes a job ${name} on as "${step.do}", without a POST`, async () => {
      const world = aPump();
      world.row = row;
      const job = await pumpOne(world, ordinal);
      expect(world.attempted).to.deep.equal([]);
      expect(world.entries).to.deep.equal([]);
      expect(world.released).to.deep.equal([{ key: job.key, end: null }]);
      const situation = {
        delivery: row && summaryOf(row),
        endpoint: settledOf(endpointTargetOf(anEndpoint())),
      };
      expect(world.passedOn).to.deep.equal([{ job, step, situation }]);
    });
  }

  it('reads the rows and endpoints of a chunk together and each once', async () => {
    const world = aPump({ batchSize: 4 });
    const again = aJob({ deliveryId: 'd0', endpointId: 'e0', ordinal: 2 });
    world.queue.push(...jobs(3), again);
    world.pump.kick();
    await settleDown(4);
    expect(world.reads).to.deep.equal([{ deliveryIds: ['d0', 'd1', 'd2'], endpointIds: ['e0', 'e1'] }]);
  });

  /** Queues jobs whose rows are in memory. */
  const queueAtHand = (world: ReturnType<typeof aPump>, count: number) => {
    const row = { delivery: world.row!, endpoint: world.endpoint!, bytes: 1 };
    const endpointReadAt = world.clock.now().getTime();
    for (const job of jobs(count)) {
      world.queue.push(job);
      world.loader.keep(job, { ...row, message: job.message, endpointReadAt });
    }
  };

  for (const [name, takesMs, count, first] of [
    ['up to 32 jobs in one turn', 0, 33, 32],
    ['fewer jobs in one turn if that takes long', 2, 5, 3],
  ] as const) {
    it(`starts ${name}, if their rows are at hand`, async () => {
      const world = aPump();
      world.attempting = () => {
        world.clock.advance(takesMs);
        return new Promise(() => {});
      };
      queueAtHand(world, count);
      world.pump.kick();
      await settleDown(1);
      expect(world.attempted).to.have.length(first);
      await settleDown(1);
      expect(world.attempted).to.have.length(count);
      expect(world.reads).to.deep.equal([]);
    });
  }

  it('starts the jobs of one read in several turns if that takes long, and none once it is stopped', async () => {
    const world = aPump({ batchSize: 9 });
    world.attempting = () => {
      world.clock.advance(2);
      return new Promise(() => {});
    };
    world.queue.push(...jobs(9));
    world.pump.kick();
    const started: number[] = [];
    while (world.attempted.length < 5) {
      await settleDown(1);
      started.push(world.attempted.length);
    }
    world.pump.stop();
    await settleDown(4);
    expect(started.filter((count) => count > 0)).to.deep.equal([3, 5]);
    expect(world.attempted).to.have.length(5);
    expect([world.requeued, world.released]).to.deep.equal([[], []]);
  });

  it('takes jobs once for repeated kicks in one turn', async () => {
    const world = aPump();
    for (const _ of jobs(3)) world.pump.kick();
    await settleDown(2);
    expect(world.asked).to.equal(1);
    world.pump.kick();
    await settleDown(2);
    expect(world.asked).to.equal(2);
  });

  it('runs four concurrent reads of one batch each and continues when one ends', async () => {
    const world = aPump({ batchSize: 2 });
    const reading = deferred();
    world.reading = () => reading.promise;
    world.queue.push(...jobs(11));
    world.pump.kick();
    world.pump.kick();
    await settleDown(4);
    expect(world.reads.map(({ deliveryIds }) => deliveryIds.length)).to.deep.equal([2, 2, 2, 2]);
    reading.resolve();
    await settleDown(4);
    expect(world.reads.map(({ deliveryIds }) => deliveryIds.length)).to.deep.equal([2, 2, 2, 2, 2, 1]);
    expect(world.attempted).to.have.length(11);
  });

  // Regression: the rows of others that take long to read delayed rows that were in memory.
  it('starts jobs whose rows are at hand while as many reads as may be are in progress', async () => {
    const world = aPump({ batchSize: 1 });
    const reading = deferred();
    world.reading = () => reading.promise;
    const others = Array.from({ length: 5 }, (_, index) => aJob({ deliveryId: `other${index}` }));
    world.queue.push(...others);
    world.pump.kick();
    await settleDown(4);
    const last = world.queue.pop()!;
    queueAtHand(world, 2);
    world.queue.push(last);
    world.pump.kick();
    await settleDown(4);
    expect(world.attempted).to.deep.equal(jobs(2).map((job) => job.key));
    expect(world.reads).to.have.length(4);
    expect(world.queue, 'waits for the end of a read').to.deep.equal([last]);
    reading.resolve();
    await settleDown(4);
    expect(world.attempted).to.have.length(7);
    expect(world.reads).to.have.length(5);
  });

  it('starts no jobs at the limit of unsettled observations', async () => {
    const world = aPump({ maxUnsettled: 10 });
    world.unsettled = 10;
    await pumpOne(world);
    expect(world.reads).to.deep.equal([]);
    world.unsettled = 9;
    world.pump.kick();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([key]);
  });

  it('postpones jobs by a second if their rows cannot be read', async () => {
    const world = aPump();
    world.reading = () => Promise.reject(new Error('no primary'));
    world.queue.push(...jobs(2));
    world.pump.kick();
    await settleDown(4);
    expect(world.postponed).to.deep.equal(jobs(2).map((job) => ({ key: job.key, forMs: 1_000 })));
    expect(world.released).to.deep.equal(jobs(2).map((job) => ({ key: job.key, end: null })));
    expect(world.log.lines).to.deep.equal(['warn read.failed']);
    world.reading = () => Promise.resolve();
    await pumpOne(world);
    expect(world.attempted, 'after the pause').to.deep.equal([key]);
  });

  // Regression: the whole read failed, or the jobs of the chunk whose POSTs had begun were released, or the endpoint rested.
  it('puts off a job whose row has no payload, and starts the others of its read', async () => {
    const world = aPump();
    world.attempting = () => new Promise(() => {});
    const [first, damaged, last] = jobs(3);
    world.damaged.add('d1');
    world.queue.push(first!, damaged!, last!);
    world.pump.kick();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([first!.key, last!.key]);
    expect(world.released).to.deep.equal([{ key: damaged!.key, end: null }]);
    expect(world.putOff).to.deep.equal([damaged!.key]);
    expect([world.unattempted, world.postponed]).to.deep.equal([[], []]);
    expect(world.log.lines).to.deep.equal(['error attempt.internal_error']);
  });

  for (const [name, attempting, event] of [
    ['whose secrets cannot be decrypted', async () => UNDECRYPTABLE, 'attempt.undecryptable'],
    ['whose attempt fails unexpectedly', () => Promise.reject(new Error('a bug')), 'attempt.internal_error'],
  ] as const) {
    it(`leaves a job ${name} to its row and logs ${event}`, async () => {
      const world = aPump();
      world.attempting = attempting;
      await pumpOne(world);
      expect(world.unattempted).to.deep.equal([key]);
      expect(world.postponed).to.deep.equal([]);
      expect(world.entries).to.deep.equal([]);
      expect(world.log.lines).to.deep.equal([`error ${event}`]);
      expect(world.pump.running()).to.equal(0);
    });
  }

  it('reports an observation that cannot be handed on as an error of its own', async () => {
    const world = aPump({
      guard: {
        ...NO_GUARD,
        recordOrDiscard() {
          throw new Error('a bug');
        },
      },
    });
    await pumpOne(world);
    expect(world.released).to.deep.equal([{ key, end: END }]);
    expect(world.unattempted).to.deep.equal([key]);
    expect(world.log.lines).to.deep.equal(['error attempt.internal_error']);
  });

  it('logs a secret that cannot be decrypted once per minute and endpoint', async () => {
    const world = aPump();
    world.attempting = async () => UNDECRYPTABLE;
    for (const job of [aJob(), aJob({ deliveryId: 'next' })]) {
      world.queue.push(job);
      await pumpOne(world);
    }
    expect(world.attempted.length).to.be.above(1);
    expect(world.log.lines).to.deep.equal(['error attempt.undecryptable']);
    world.clock.advance(60_000);
    world.queue.push(aJob({ deliveryId: 'later' }));
    await pumpOne(world);
    expect(world.log.lines).to.deep.equal(['error attempt.undecryptable', 'error attempt.undecryptable']);
  });

  it('counts attempts in flight as running', async () => {
    const world = aPump();
    const attempting = deferred<SentAttempt>();
    world.attempting = () => attempting.promise;
    await pumpOne(world);
    expect(world.pump.running()).to.equal(1);
    attempting.resolve(aSentAttempt());
    await settleDown(1);
    expect(world.pump.running()).to.equal(0);
  });

  it('takes further jobs when a POST ends', async () => {
    const world = aPump();
    const attempting = deferred<SentAttempt>();
    world.attempting = () => attempting.promise;
    await pumpOne(world);
    const next = aJob({ deliveryId: 'next' });
    world.queue.push(next);
    attempting.resolve(aSentAttempt());
    await settleDown(4);
    expect(world.attempted).to.deep.equal([DELIVERY_ID, next.key]);
    expect(world.reads.at(-1)?.endpointIds).to.deep.equal([ENDPOINT_ID]);
  });

  it('reports the begin of a POST to the scheduler, with the origin of the endpoint and whether it is failing', async () => {
    const world = aPump();
    world.endpoint = anEndpoint({ url: 'https://host:8443/hook', consecutiveFailures: 3 });
    const job = await pumpOne(world);
    const { bytes, ...facts } = world.facts[0]!;
    expect(facts).to.deep.equal({ origin: 'https://host:8443', failing: true, ratePerSecond: null });
    expect(bytes).to.be.above(1_024);
    expect(world.begun).to.deep.equal([job.key]);
  });

  it('sends no job that the scheduler does not let start', async () => {
    const world = aPump();
    world.refused.add(aJob().key);
    await pumpOne(world);
    expect(world.attempted).to.deep.equal([]);
    expect(world.released, 'the scheduler has queued it again').to.deep.equal([]);
  });

  it('puts jobs back whose rows were not read, so that they are in their order again', async () => {
    const world = aPump();
    const [first, second, third] = jobs(3);
    world.unread.add('d1').add('d2');
    world.queue.push(first!, second!, third!);
    world.pump.kick();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([first!.key]);
    expect(world.putBack).to.deep.equal([third!.key, second!.key]);
    expect(world.released).to.have.length(1);
    expect(world.requeued).to.deep.equal([]);
  });

  it('does not put jobs back that another process may own', async () => {
    const world = aPump();
    world.unread.add('d0');
    world.isOwned = false;
    world.queue.push(...jobs(1));
    world.pump.kick();
    await settleDown(4);
    expect(world.putBack).to.deep.equal([]);
    expect(world.requeued).to.have.length(1);
  });
});
