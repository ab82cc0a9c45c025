import { aMessage, later } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createExtendDueTimes } from '../../../src/engine/backlog/extend-due-times.js';
import { aClock, aJob, aLog, deferred, settleDown } from '../builders.js';
import { virtualTime } from '../virtual-time.js';

describe('extending due times', () => {
  let time: ReturnType<typeof virtualTime>;
  beforeEach(() => {
    time = virtualTime();
  });
  afterEach(() => time.restore());

  /** Begins to extend the due times of some attempts at noon, until the database responds. */
  function extend(jobs = [aJob()]) {
    const database = deferred();
    const log = aLog();
    const world = { asked: [] as unknown[], hasEnded: false };
    const extendDueTimes = createExtendDueTimes({
      workload: { attempted: () => jobs },
      store: {
        extendDueTimes(...args) {
          world.asked.push(args);
          return database.promise;
        },
      },
      clock: aClock(),
      attemptLimitMs: 15_000,
      log,
    });
    void extendDueTimes(() => true).then(() => {
      world.hasEnded = true;
    });
    return Object.assign(world, { database, log });
  }

  it('ends once the database has stored the time until which the attempts must have been recorded', async () => {
    const world = extend();
    await settleDown();
    expect(world.asked).to.deep.equal([[[aMessage()], later(15_000)]]);
    expect(world.hasEnded).to.equal(false);
    world.database.resolve();
    await settleDown();
    expect(world.hasEnded).to.equal(true);
    expect(world.log.lines).to.deep.equal([]);
  });

  it('asks for nothing if no attempt is in progress', async () => {
    const world = extend([]);
    await settleDown();
    expect([world.asked, world.hasEnded]).to.deep.equal([[], true]);
  });

  it('logs that it failed, and does not reject', async () => {
    const world = extend();
    world.database.reject(new Error('no primary'));
    await settleDown();
    expect(world.hasEnded).to.equal(true);
    expect(world.log.lines).to.deep.equal(['warn attempts.extend_failed']);
  });

  it('waits for the database for a second at most', async () => {
    const world = extend();
    await settleDown();
    time.tick(999);
    await settleDown();
    expect(world.hasEnded).to.equal(false);
    time.tick(1);
    await settleDown();
    expect(world.hasEnded).to.equal(true);
  });
});
