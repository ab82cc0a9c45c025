import { expect } from 'chai';
import { cachedRead } from '../../src/metrics/cached-read.js';

describe('cachedRead', () => {
  let now = 0;
  let reads = 0;
  beforeEach(() => {
    now = 0;
    reads = 0;
  });
  const counting = async () => {
    reads += 1;
    return reads;
  };
  const options = { maxAgeMs: 1_000, withinMs: 50, monotonicMs: () => now };

  it('shares one read among concurrent and subsequent callers', async () => {
    const ask = cachedRead(counting, options);
    expect(await Promise.all([ask(), ask()])).to.deep.equal([1, 1]);
    now = 999;
    expect(await ask()).to.equal(1);
    now = 1_000;
    expect(await ask()).to.equal(2);
  });

  it('caches a result for twenty times its duration', async () => {
    const slow = async () => {
      now += 400;
      return counting();
    };
    const ask = cachedRead(slow, options);
    await ask();
    now = 8_399;
    expect(await ask()).to.equal(1);
    now = 8_400;
    expect(await ask()).to.equal(2);
  });

  it('limits the wait of callers and runs one read at a time', async () => {
    const ask = cachedRead(() => {
      reads += 1;
      return new Promise<never>(() => {});
    }, options);
    const failure = (work: Promise<unknown>) => work.catch((error: Error) => error.message);
    expect(await failure(ask())).to.equal('no response within 50 ms');
    expect(await failure(ask())).to.equal('no response within 50 ms');
    expect(reads).to.equal(1);
  });

  it('reads again after a failure', async () => {
    const ask = cachedRead(async () => {
      reads += 1;
      if (reads === 1) throw new Error('away');
      return reads;
    }, options);
    expect(await ask().catch((error: Error) => error.message)).to.equal('away');
    now = 1_000;
    expect(await ask()).to.equal(2);
  });

  // Regression: a failure after the 5 s in which no server was found counted for 100 s, long after the server was back.
  it('reads again within half a minute after a failure, however long that took', async () => {
    const ask = cachedRead(async () => {
      reads += 1;
      if (reads > 1) return reads;
      now = 5_000;
      throw new Error('away');
    }, options);
    await ask().catch(() => null);
    now = 34_999;
    expect(await ask().catch((error: Error) => error.message)).to.equal('away');
    now = 35_000;
    expect(await ask()).to.equal(2);
  });
});
