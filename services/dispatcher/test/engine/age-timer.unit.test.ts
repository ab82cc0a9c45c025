import { expect } from 'chai';
import { createAgeTimer } from '../../src/engine/age-timer.js';
import { virtualTime } from './virtual-time.js';

describe('age timer', () => {
  let time: ReturnType<typeof virtualTime>;
  beforeEach(() => {
    time = virtualTime();
  });
  afterEach(() => time.restore());

  /** A timer over POSTs that begin to linger at the given times. */
  function aTimer(...due: number[]) {
    const world = { now: 0, due, ticks: [] as number[] };
    const timer = createAgeTimer({
      nextAt: () => world.due[0] ?? null,
      now: () => world.now,
      age() {
        world.ticks.push(world.now);
        world.due = world.due.filter((at) => at > world.now);
      },
    });
    const pass = (ms: number) => {
      for (let passed = 0; passed < ms; passed += 10) {
        world.now += 10;
        time.tick(10);
      }
    };
    return Object.assign(world, { timer, pass });
  }

  it('ticks when a POST begins to linger, and not before', () => {
    const world = aTimer(1_000);
    world.timer.arm();
    world.timer.arm();
    world.pass(2_000);
    expect(world.ticks).to.deep.equal([1_000]);
  });

  it('treats POSTs that begin to linger within 20 ms together', () => {
    const world = aTimer(1_000, 1_005, 1_010, 1_300);
    world.timer.arm();
    world.pass(2_000);
    expect(world.ticks).to.deep.equal([1_000, 1_020, 1_300]);
  });

  it('has no ticks without POSTs in flight', () => {
    const world = aTimer();
    world.timer.arm();
    world.pass(5_000);
    expect(world.ticks).to.deep.equal([]);
  });

  it('does nothing after stop', () => {
    const world = aTimer(1_000);
    world.timer.arm();
    world.timer.stop();
    world.timer.arm();
    world.pass(2_000);
    expect(world.ticks).to.deep.equal([]);
  });
});
