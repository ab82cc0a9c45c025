import { mock } from 'node:test';
import { expect } from 'chai';
import type { Db } from 'mongodb';
import {
  bestOffset,
  keepSample,
  type PrimaryClock,
  startPrimaryClock,
} from '../../src/mongo/primary-clock.js';

const HOUR = 3_600_000;
const sample = (roundTripMs: number, offsetMs = roundTripMs) => ({ roundTripMs, offsetMs });

describe('samples of the primary clock', () => {
  it('consist of the newest five', () => {
    const samples = [1, 2, 3, 4, 5, 6].reduce(
      (kept: ReturnType<typeof sample>[], ms) => keepSample(kept, sample(ms)),
      [],
    );
    expect(samples).to.deep.equal([2, 3, 4, 5, 6].map((ms) => sample(ms)));
  });

  it('exclude those with a round trip of more than 250 ms once there are others', () => {
    const kept = [sample(1), sample(2)];
    expect(keepSample(kept, sample(250))).to.deep.equal([...kept, sample(250)]);
    expect(keepSample(kept, sample(250.1))).to.deep.equal(kept);
    expect(keepSample([sample(300), sample(400)], sample(9, 310))).to.deep.equal([sample(9, 310)]);
  });

  it('consist of the newest slow ones while there are no others', () => {
    const slow = [300, 900, 400, 500, 600].map((ms) => sample(ms));
    expect(slow.reduce((kept: typeof slow, one) => keepSample(kept, one), [])).to.deep.equal(slow);
    expect(keepSample(slow, sample(700))).to.deep.equal([...slow.slice(1), sample(700)]);
  });

  it('are forgotten when the clock of the primary is set, however slow they are', () => {
    const slow = [sample(2_000, 0), sample(1_000, 2_400)];
    expect(keepSample(slow.slice(0, 1), slow[1]!)).to.deep.equal(slow);
    expect(keepSample(slow, sample(1_000, HOUR))).to.deep.equal([sample(1_000, HOUR)]);
  });

  it('give the offset of the shortest round trip', () => {
    expect(bestOffset([sample(9, 100), sample(2, 40), sample(5, 70)])).to.equal(40);
    expect(bestOffset([])).to.equal(null);
  });
});

describe('primary clock', () => {
  let clock: PrimaryClock | undefined;
  let errors: object[];
  /** How far the primary's clock is ahead of ours, in milliseconds; null if it does not respond. */
  let ahead: number | null;
  let warnings: object[];
  /** How long the primary takes to respond, in milliseconds. */
  let roundTripMs: number;
  /** By how much the clock of this machine was set since the start, in milliseconds. */
  let setByMs: number;
  /** The sum of these times, by which the clock of the process has advanced without a wait. */
  let advancedMs: number;

  beforeEach(() => {
    errors = [];
    warnings = [];
    ahead = 0;
    roundTripMs = 0;
    advancedMs = 0;
    setByMs = 0;
    const monotonicMs = performance.now.bind(performance);
    mock.method(performance, 'now', () => monotonicMs() + advancedMs);
    const wallMs = Date.now.bind(Date);
    mock.method(Date, 'now', () => wallMs() + advancedMs + setByMs);
    mock.timers.enable({ apis: ['setInterval'] });
  });
  afterEach(() => {
    clock?.stop();
    mock.timers.reset();
    mock.restoreAll();
  });

  const db = {
    async command() {
      if (ahead === null) throw new Error('no primary');
      advancedMs += roundTripMs;
      return { localTime: new Date(Date.now() - setByMs + ahead - roundTripMs / 2) };
    },
  } as unknown as Db;
  const quiet = () => undefined;
  const note = (lines: () => object[]) => (facts: object) => lines().push(facts);
  const log = { debug: quiet, info: quiet, warn: note(() => warnings), error: note(() => errors) };
  const start = async () => {
    clock = await startPrimaryClock(db, log);
    return clock;
  };
  /** Advances the time by this many measurements. */
  async function measure(times: number) {
    for (let time = 0; time < times; time += 1) {
      mock.timers.tick(10_000);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  it('returns the time of the database, not that of the process', async () => {
    ahead = HOUR;
    const { now, offsetMs } = await start();
    expect(now().getTime() - Date.now()).to.be.closeTo(HOUR, 100);
    expect(offsetMs()).to.be.closeTo(HOUR, 100);
  });

  it('follows a database that only answers slowly, and warns until it answers fast', async () => {
    ahead = HOUR;
    roundTripMs = 600;
    const { offsetMs } = await start();
    expect(offsetMs()).to.be.closeTo(HOUR, 300);
    expect(warnings).to.deep.equal([{ event: 'clock.inaccurate', errorMs: 300 }]);
    await measure(1);
    expect(warnings).to.have.length(2);
    roundTripMs = 0;
    await measure(1);
    expect(offsetMs()).to.be.closeTo(HOUR, 100);
    expect(warnings).to.have.length(2);
  });

  it('does not move when the wall clock of the process jumps', async () => {
    const { now } = await start();
    const before = now().getTime();
    setByMs = -HOUR;
    const after = now().getTime();
    expect(after - before).to.be.within(0, 100);
  });

  it('follows the database within five measurements', async () => {
    const { offsetMs } = await start();
    ahead = 2_000;
    await measure(5);
    expect(offsetMs()).to.be.closeTo(2_000, 100);
  });

  it('keeps its offset while the database does not respond', async () => {
    ahead = 2_000;
    const { offsetMs, now } = await start();
    ahead = null;
    await measure(7);
    expect(offsetMs()).to.be.closeTo(2_000, 100);
    expect(now().getTime() - Date.now()).to.be.closeTo(2_000, 100);
  });

  it('logs an error when the clocks differ by more than five seconds', async () => {
    ahead = 4_000;
    await start();
    expect(errors).to.deep.equal([]);
    ahead = -6_000;
    await measure(5);
    expect(errors.at(-1)).to.have.property('event', 'clock.offset');
    expect(errors.at(-1)).to.have.property('offsetMs').that.is.closeTo(-6_000, 100);
  });

  it('compares the clocks as they are now, if the one of this machine was set since the start', async () => {
    const { offsetMs } = await start();
    setByMs = -HOUR;
    expect(offsetMs()).to.be.closeTo(HOUR, 100);
    await measure(1);
    expect(errors.at(-1)).to.have.property('offsetMs').that.is.closeTo(HOUR, 100);
    setByMs = 0;
    const before = errors.length;
    await measure(1);
    expect(offsetMs()).to.be.closeTo(0, 100);
    expect(errors).to.have.length(before);
  });

  it('does not start without the database', async () => {
    ahead = null;
    expect(await start().catch((error: unknown) => error)).to.be.instanceOf(Error);
  });

  it('takes no measurements after it is stopped', async () => {
    const { stop, offsetMs } = await start();
    stop();
    ahead = HOUR;
    await measure(6);
    expect(offsetMs()).to.be.below(1_000);
  });
});
