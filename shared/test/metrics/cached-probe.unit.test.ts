import { expect } from 'chai';
import { cachedProbe } from '../../src/metrics/cached-probe.js';

describe('cachedProbe', () => {
  let now = 0;
  let looks = 0;
  beforeEach(() => {
    now = 0;
    looks = 0;
  });
  const counting = async () => {
    looks += 1;
    return looks;
  };
  const options = { maxAgeMs: 1_000, withinMs: 50, monotonicMs: () => now };

  it('shares one probe among concurrent and subsequent callers', async () => {
    const ask = cachedProbe(counting, options);
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
    const ask = cachedProbe(slow, options);
    await ask();
    now = 8_399;
    expect(await ask()).to.equal(1);
    now = 8_400;
    expect(await ask()).to.equal(2);
  });

  it('limits the wait of callers and runs one probe at a time', async () => {
    const ask = cachedProbe(() => {
      looks += 1;
      return new Promise<never>(() => {});
    }, options);
    const failure = (work: Promise<unknown>) => work.catch((error: Error) => error.message);
    expect(await failure(ask())).to.equal('no response within 50 ms');
    expect(await failure(ask())).to.equal('no response within 50 ms');
    expect(looks).to.equal(1);
  });

  it('probes again after a failure', async () => {
    const ask = cachedProbe(async () => {
      looks += 1;
      if (looks === 1) throw new Error('away');
      return looks;
    }, options);
    expect(await ask().catch((error: Error) => error.message)).to.equal('away');
    now = 1_000;
    expect(await ask()).to.equal(2);
  });

  // Regression: a failure after the 5 s in which no server was found counted for 100 s, long after the server was back.
  it('probes again within half a minute after a failure, however long that took', async () => {
    const ask = cachedProbe(async () => {
      looks += 1;
      if (looks > 1) return looks;
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
