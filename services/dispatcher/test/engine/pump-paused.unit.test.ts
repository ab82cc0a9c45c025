import { anAttemptObservation, DELIVERY_ID } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { AttemptResult } from '../../src/engine/send-attempt.js';
import { aPump, END, pumpOne } from './a-pump.js';
import { deferred, settleDown } from './builders.js';

async function settlesAttemptsInFlight(after: 'pause' | 'stop'): Promise<void> {
  const world = aPump();
  const attempting = deferred<AttemptResult>();
  world.attempting = () => attempting.promise;
  await pumpOne(world);
  world.pump[after]();
  attempting.resolve({ observation: anAttemptObservation(), end: END });
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
    expect(world.attempted).to.deep.equal([`${DELIVERY_ID}:1`]);
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
