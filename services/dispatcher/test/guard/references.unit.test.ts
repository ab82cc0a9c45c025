import { mock } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { createReferences } from '../../src/guard/references.js';
import { type StartedGuard, startOutageGuard } from '../../src/guard/start-outage-guard.js';
import { aLog } from '../engine/builders.js';
import { SETTINGS } from './domains.js';

const REFERENCES = ['reference1.example:443', 'reference2.example:443'];
const DEAD = 'https://hooks.dead.example';
const WORKING = ['https://hooks.working1.example', 'https://hooks.working2.example'];

describe('outage guard with reference destinations and few receivers', () => {
  let guard: StartedGuard;
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => {
    guard.stop();
    mock.timers.reset();
  });

  /** @param unreached what cannot be connected to, besides the dead receiver: 'all', 'references' or 'none' */
  const start = (unreached: 'all' | 'references' | 'none') => {
    const world = { now: 0, unreached, recorded: 0, tried: [] as string[], answers: 0 };
    const isReached = (origin: string) =>
      origin !== DEAD &&
      world.unreached !== 'all' &&
      (world.unreached === 'none' || !origin.includes('reference'));
    guard = startOutageGuard({
      settings: SETTINGS,
      canaryEveryMs: 1_000,
      references: REFERENCES,
      records: { publish: async () => {}, others: async () => [] },
      reaches: async (origin) => {
        world.tried.push(origin);
        return isReached(origin);
      },
      monotonicMs: () => world.now,
      log: aLog(),
    });
    const post = (origin: string) => {
      if (guard.allowance() === 0 || guard.waitMs(origin) > 0) return;
      const reach = isReached(origin) ? 'answered' : 'unreached';
      const record = () => {
        if (reach === 'answered') world.answers += 1;
        else world.recorded += 1;
      };
      const subject = { workspaceId: 'ws', endpointId: origin, origin };
      guard.recordOrDiscard({ ...subject, reach, durationMs: 0 }, { record, discard: () => {} });
    };
    /** Lets seconds pass. In each, every origin gets a POST unless sending is held. */
    const pass = async (seconds: number, origins: readonly string[]) => {
      for (let second = 0; second < seconds; second += 1) {
        origins.forEach(post);
        world.now += 1_000;
        mock.timers.tick(1_000);
        await setImmediate();
      }
    };
    return Object.assign(world, { pass });
  };

  it('started before the network is up, resumes within seconds after it is', async () => {
    const world = start('all');
    await world.pass(10, WORKING);
    expect(guard.isHolding()).to.equal(true);
    world.unreached = 'none';
    await world.pass(5, WORKING);
    expect(guard.isHolding()).to.equal(false);
    await world.pass(5, WORKING);
    expect(world.answers).to.be.greaterThan(0);
    expect(world).to.include({ recorded: 0 });
    expect(guard.trips()).to.equal(1);
  });

  it('counts nothing of a long outage, whether or not any receiver answered before', async () => {
    for (const before of [[], WORKING]) {
      const world = start('none');
      await world.pass(60, before);
      world.unreached = 'all';
      await world.pass(3_600, WORKING);
      world.unreached = 'none';
      await world.pass(10, WORKING);
      expect(world).to.include({ recorded: 0 });
      expect(guard.isHolding()).to.equal(false);
    }
  });

  it('sends to the others within a minute although the references are blocked and one receiver is dead', async () => {
    const world = start('references');
    await world.pass(3, [DEAD]);
    await world.pass(57, [DEAD, ...WORKING]);
    expect(world.answers).to.be.greaterThan(20);
    await world.pass(600, [DEAD, ...WORKING]);
    expect(guard.trips()).to.equal(1);
    expect(world.recorded).to.be.greaterThan(500);
  });

  it('resumes within seconds if the references are blocked and receivers answered before', async () => {
    const world = start('references');
    await world.pass(60, WORKING);
    await world.pass(3, [DEAD]);
    await world.pass(7, [DEAD, ...WORKING]);
    expect(guard.isHolding()).to.equal(false);
    await world.pass(600, [DEAD, ...WORKING]);
    expect(guard.trips()).to.equal(1);
    expect(world.recorded).to.be.greaterThan(500);
  });

  it('holds by them again once one of them was reached', async () => {
    const world = start('references');
    await world.pass(60, [DEAD, ...WORKING]);
    world.unreached = 'none';
    await world.pass(60, WORKING);
    const { recorded } = world;
    world.unreached = 'all';
    await world.pass(60, WORKING);
    expect(guard.isHolding()).to.equal(true);
    expect(world).to.include({ recorded });
  });
});

describe('references', () => {
  it('are tried in turn', () => {
    const references = createReferences(REFERENCES);
    expect([references.next(), references.next(), references.next()]).to.deep.equal([
      REFERENCES[0],
      REFERENCES[1],
      REFERENCES[0],
    ]);
  });

  it('are neither tried nor trusted if there are none', () => {
    const none = createReferences([]);
    expect(none.next()).to.equal(null);
    expect(none.areTrusted(Number.NEGATIVE_INFINITY)).to.equal(false);
  });

  it('are not trusted while unreached from before a POST that reached a receiver', () => {
    const references = createReferences(REFERENCES);
    expect(references.areUnreached()).to.equal(false);
    references.tried(false, 100);
    references.tried(false, 200);
    expect(references.areUnreached()).to.equal(true);
    expect([references.areTrusted(99), references.areTrusted(100)]).to.deep.equal([true, false]);
    references.tried(true, 300);
    expect([references.areUnreached(), references.areTrusted(400)]).to.deep.equal([false, true]);
  });
});
