import { expect } from 'chai';
import { createTokenBrake, TooManyUnknownTokens } from '../../src/rate-limits/token-brake.js';

describe('token brake', () => {
  /** A brake whose lookups run until they are ended. */
  function braked(limit: number) {
    const time = { now: 0 };
    const brake = createTokenBrake({ limit, monotonicMs: () => time.now });
    const running: { readonly hash: string; readonly end: (outcome: boolean | Error) => void }[] = [];
    const run = (hash: string) =>
      new Promise<boolean>((resolve, reject) => {
        running.push({
          hash,
          end: (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome)),
        });
      });
    /** Starts to look up a token. @returns whether it exists, after how many milliseconds it may be repeated, or the error */
    const lookUp = (address: string, hash: string) =>
      brake
        .lookUp({ address, hash }, { run: () => run(hash), isUnknown: (exists) => !exists })
        .catch((error: Error) => (error instanceof TooManyUnknownTokens ? error.retryAfterMs : error));
    /** Ends everything that runs, and waits for what that starts. */
    const end = async (outcome: boolean | Error) => {
      await settled();
      for (const { end } of running.splice(0)) end(outcome);
      await settled();
    };
    const lookedUp = async (address: string, hash: string, outcome: boolean | Error = false) => {
      const result = lookUp(address, hash);
      await end(outcome);
      return result;
    };
    return { time, running, lookUp, end, lookedUp };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('refuses an address from the limit on, until a minute after its first unknown token', async () => {
    const { time, lookedUp } = braked(2);
    expect(await lookedUp('a', 'x1')).to.equal(false);
    time.now = 10_000;
    expect(await lookedUp('a', 'x2')).to.equal(false);
    expect(await lookedUp('a', 'x3')).to.equal(50_000);
    expect(await lookedUp('b', 'x3')).to.equal(false);
    time.now = 60_000;
    expect(await lookedUp('a', 'x3')).to.equal(false);
  });

  it('counts the addresses of an IPv6 network together', async () => {
    const { lookedUp } = braked(2);
    expect(await lookedUp('2001:db8:0:1::1', 'x1')).to.equal(false);
    expect(await lookedUp('2001:db8:0:1::2', 'x2')).to.equal(false);
    expect(await lookedUp('2001:db8:0:1:ffff::3', 'x3')).to.equal(60_000);
    expect(await lookedUp('2001:db8:0:2::1', 'x3'), 'of another network').to.equal(false);
  });

  // Regression: a /48 network has 65,536 networks of /64, and only the last 10,000 were remembered.
  it('limits the networks of a /48 together to ten times the limit of one', async () => {
    const { time, lookedUp } = braked(2);
    const addressOf = (network: number) => `2001:db8:1:${network.toString(16)}::1`;
    for (let network = 0; network < 20; network += 1)
      expect(await lookedUp(addressOf(network), `x${network}`)).to.equal(false);
    expect(await lookedUp(addressOf(20), 'x20')).to.equal(60_000);
    expect(await lookedUp('2001:db8:2::1', 'x20'), 'of another /48').to.equal(false);
    time.now = 60_000;
    expect(await lookedUp(addressOf(20), 'x20')).to.equal(false);
  });

  it('does not let lookups that wait for their own network delay others of its /48', async () => {
    const { lookUp, end } = braked(1);
    const [first, ...others] = Array.from({ length: 30 }, (_, n) => lookUp('2001:db8:1::1', `x${n}`));
    const elsewhere = lookUp('2001:db8:1:1::1', 'one');
    await end(true);
    expect([await first, await elsewhere]).to.deep.equal([true, true]);
    for (const _ of others) await end(true);
  });

  it('counts a token that was known and is not any more, from the second lookup on', async () => {
    const { lookedUp } = braked(1);
    expect(await lookedUp('a', 'one', true)).to.equal(true);
    for (const outcome of [false, false, 60_000]) expect(await lookedUp('a', 'one')).to.equal(outcome);
  });

  it('counts neither tokens that exist nor their next lookups', async () => {
    const { lookedUp } = braked(1);
    for (const hash of ['one', 'two', 'one']) expect(await lookedUp('a', hash, true)).to.equal(true);
    expect(await lookedUp('a', 'unknown')).to.equal(false);
    expect(await lookedUp('a', 'another')).to.equal(60_000);
    expect(await lookedUp('a', 'one', true)).to.equal(true);
  });

  // Regression: lookups that were running counted as unknown, so a new process refused clients with valid tokens.
  it('refuses none of many concurrent lookups of tokens that exist', async () => {
    const { lookUp, end, running } = braked(3);
    const results = Array.from({ length: 10 }, (_, index) => lookUp('a', `token ${index}`));
    await settled();
    expect(running).to.have.length(3);
    for (let round = 0; round < 4; round += 1) await end(true);
    expect(await Promise.all(results)).to.deep.equal(Array(10).fill(true));
  });

  it('looks up a token that was found while it waited, even at the limit', async () => {
    const { lookUp, end } = braked(1);
    const results = ['one', 'x1', 'one', 'x2'].map((hash) => lookUp('a', hash));
    for (const exists of [true, false, true]) await end(exists);
    expect(await Promise.all(results)).to.deep.equal([true, false, true, 60_000]);
  });

  it('looks up no more unknown tokens than the limit when they come at once', async () => {
    const { lookUp, end, running } = braked(3);
    const results = Array.from({ length: 10 }, (_, index) => lookUp('a', `x${index}`));
    await end(false);
    expect(running).to.be.empty;
    expect(await Promise.all(results)).to.deep.equal([false, false, false, ...Array(7).fill(60_000)]);
  });

  it('counts no lookups that fail, and continues those that wait', async () => {
    const { lookUp, end } = braked(1);
    const away = new Error('no server');
    const results = [lookUp('a', 'one'), lookUp('a', 'two')];
    await end(away);
    await end(true);
    expect(await Promise.all(results)).to.deep.equal([away, true]);
  });

  it('admits everything without a limit', async () => {
    const { lookUp, end } = braked(0);
    const results = Array.from({ length: 1_000 }, (_, index) => lookUp('a', `x${index}`));
    await end(false);
    expect(new Set(await Promise.all(results))).to.deep.equal(new Set([false]));
  });
});
