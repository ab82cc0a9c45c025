import { DELIVERY_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { SentAttempt } from '../../../src/engine/sending/send-attempt.js';
import { NO_GUARD, type SendingGuard } from '../../../src/ports/guard.js';
import { aSentAttempt, deferred, settleDown } from '../builders.js';
import { aPump, pumpOne } from './a-pump.js';

async function settlesAttemptsInFlight(after: 'pause' | 'stop'): Promise<void> {
  const world = aPump();
  const attempting = deferred<SentAttempt>();
  world.attempting = () => attempting.promise;
  await pumpOne(world);
  world.pump[after]();
  attempting.resolve(aSentAttempt());
  await settleDown(1);
  expect(world.entries).to.have.length(1);
}

describe('paused pump', () => {
  it('takes no jobs until it is resumed', async () => {
    const world = aPump();
    world.pump.pause();
    await pumpOne(world);
    expect(world.reads).to.deep.equal([]);
    world.pump.resume();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([DELIVERY_ID]);
  });

  it('sends no jobs whose rows were being read, and queues them again', async () => {
    const world = aPump();
    const reading = deferred();
    world.reading = () => reading.promise;
    const job = await pumpOne(world);
    world.pump.pause();
    reading.resolve();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([]);
    expect(world.released).to.deep.equal([{ key: job.key, end: null }]);
    expect(world.requeued).to.deep.equal([job]);
  });

  it('settles attempts in flight', () => settlesAttemptsInFlight('pause'));
});

describe('stopped pump', () => {
  it('takes no jobs', async () => {
    const world = aPump();
    world.pump.stop();
    await pumpOne(world);
    expect(world.reads).to.deep.equal([]);
    expect(world.queue).to.have.length(1);
  });

  it('sends no jobs whose rows were being read', async () => {
    const world = aPump();
    const reading = deferred();
    world.reading = () => reading.promise;
    await pumpOne(world);
    world.pump.stop();
    reading.resolve();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([]);
    expect(world.entries).to.deep.equal([]);
    expect(world.passedOn).to.deep.equal([]);
  });

  it('settles attempts in flight', () => settlesAttemptsInFlight('stop'));
});

describe('pump with an outage guard', () => {
  const guarded = (guard: Partial<SendingGuard>) => aPump({ guard: { ...NO_GUARD, ...guard } });

  it('takes no jobs while nothing is allowed', async () => {
    const world = guarded({ allowance: () => 0 });
    await pumpOne(world);
    expect(world.queue).to.have.length(1);
    expect(world.attempted).to.deep.equal([]);
  });

  it('postpones a job whose row was being read when sending was held', async () => {
    let allowance = 1;
    const world = guarded({ allowance: () => allowance });
    world.reading = async () => {
      allowance = 0;
    };
    await pumpOne(world);
    expect(world.attempted).to.deep.equal([]);
    expect(world.postponed).to.have.length(1);
  });

  it('lets an endpoint rest that has to wait, without reading a row', async () => {
    const world = guarded({ waitMs: () => 700 });
    const { key } = await pumpOne(world);
    expect(world.reads).to.deep.equal([]);
    expect(world.resting).to.deep.equal([{ key, forMs: 700 }]);
    expect([world.released, world.postponed]).to.deep.equal([[], []]);
  });

  it('settles a recorded observation and tries a discarded one again', async () => {
    const recorded = guarded({ recordOrDiscard: (_evidence, { record }) => record() });
    await pumpOne(recorded);
    expect([recorded.entries.length, recorded.postponed.length]).to.deep.equal([1, 0]);
    const discarded = guarded({ recordOrDiscard: (_evidence, { discard }) => discard() });
    await pumpOne(discarded);
    expect([discarded.entries.length, discarded.postponed.length]).to.deep.equal([0, 1]);
    const withheld = guarded({ recordOrDiscard: () => {} });
    await pumpOne(withheld);
    expect([withheld.entries.length, withheld.postponed.length]).to.deep.equal([0, 0]);
    expect(withheld.released).to.have.length(1);
  });

  it('settles an attempt of which nothing was sent without asking the guard', async () => {
    const world = guarded({ recordOrDiscard: (_evidence, { discard }) => discard() });
    world.attempting = async () => ({ ...aSentAttempt(), posted: null });
    const job = await pumpOne(world);
    expect(world.entries).to.have.length(1);
    expect(world.released).to.deep.equal([{ key: job.key, end: null }]);
  });

  it('lets an endpoint rest if its attempt was not sent', async () => {
    const world = aPump();
    world.attempting = async () => ({ kind: 'postponed', cause: 'look_up', forMs: 700 });
    const { key } = await pumpOne(world);
    expect(world.entries).to.deep.equal([]);
    expect(world.resting).to.deep.equal([{ key, forMs: 700 }]);
    expect([world.released, world.postponed]).to.deep.equal([[], []]);
  });
});

describe('pump whose partition was revoked while rows were being read', () => {
  it('sends nothing', async () => {
    const world = aPump();
    const reading = deferred();
    world.reading = () => reading.promise;
    const job = await pumpOne(world);
    world.isOwned = false;
    reading.resolve();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([]);
    expect(world.requeued, 'which drops it').to.deep.equal([job]);
  });

  // Regression: a frozen process that continued sent what it had been reading, because its timers came later.
  it('sends nothing when no timer has paused it yet', async () => {
    const world = aPump();
    const reading = deferred();
    world.reading = () => reading.promise;
    const job = await pumpOne(world);
    world.isCutOff = true;
    reading.resolve();
    await settleDown(4);
    expect(world.attempted).to.deep.equal([]);
    expect(world.requeued).to.deep.equal([job]);
  });
});
