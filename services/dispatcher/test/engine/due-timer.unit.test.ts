import { expect } from 'chai';
import { createDueTimer } from '../../src/engine/due-timer.js';
import { virtualTime } from './virtual-time.js';

describe('due timer', () => {
  let time: ReturnType<typeof virtualTime>;
  beforeEach(() => {
    time = virtualTime();
  });
  afterEach(() => time.restore());

  /** A timer over what is due at the given times. */
  function aTimer(...due: number[]) {
    const world = { now: 0, due, ticks: [] as number[] };
    const timer = createDueTimer({
      nextAt: () => world.due[0] ?? null,
      timeMs: () => world.now,
      tickMs: 20,
      onDue() {
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

  it('ticks when something is due, and not before', () => {
    const world = aTimer(1_000);
    world.timer.arm();
    world.timer.arm();
    world.pass(2_000);
    expect(world.ticks).to.deep.equal([1_000]);
  });

  it('handles what is due within 20 ms together', () => {
    const world = aTimer(1_000, 1_005, 1_010, 1_300);
    world.timer.arm();
    world.pass(2_000);
    expect(world.ticks).to.deep.equal([1_000, 1_020, 1_300]);
  });

  it('has no ticks without anything to wait for', () => {
    const world = aTimer();
    world.timer.arm();
    world.pass(5_000);
    expect(world.ticks).to.deep.equal([]);
  });

  it('ticks earlier for what is due before the rest', () => {
    const world = aTimer(1_000);
    world.timer.arm();
    world.due.unshift(300);
    world.timer.arm();
    world.pass(2_000);
    expect(world.ticks).to.deep.equal([300, 1_000]);
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
