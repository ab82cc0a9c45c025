import { expect } from 'chai';
import { createNameCache, type ResolvedName } from '../../src/post/name-cache.js';

const FOUND: ResolvedName = { addresses: [{ address: '192.0.2.1', family: 4 }], ttlSeconds: 10 };

function cacheOver(lookUp: (host: string) => Promise<ResolvedName>) {
  const clock = { nowMs: 1_000 };
  const asked: string[] = [];
  const resolve = createNameCache(
    (host) => {
      asked.push(host);
      return lookUp(host);
    },
    () => clock.nowMs,
  );
  return { resolve, asked, clock };
}

describe('name cache', () => {
  it('looks a name up once during its time to live and again afterwards', async () => {
    const { resolve, asked, clock } = cacheOver(async () => FOUND);
    expect(await resolve('a.test')).to.deep.equal(FOUND.addresses);
    clock.nowMs += 9_999;
    await resolve('a.test');
    expect(asked).to.have.length(1);
    clock.nowMs += 1;
    await resolve('a.test');
    expect(asked).to.have.length(2);
  });

  it('caches no answer for more than 30 s, and none with a time to live of 0', async () => {
    const long = cacheOver(async () => ({ ...FOUND, ttlSeconds: 86_400 }));
    await long.resolve('a.test');
    long.clock.nowMs += 30_000;
    await long.resolve('a.test');
    expect(long.asked).to.have.length(2);

    const none = cacheOver(async () => ({ ...FOUND, ttlSeconds: 0 }));
    await none.resolve('a.test');
    await none.resolve('a.test');
    expect(none.asked).to.have.length(2);
  });

  it('shares one look-up among concurrent callers', async () => {
    let found: (answer: ResolvedName) => void = () => {};
    const { resolve, asked } = cacheOver(() => new Promise((settle) => (found = settle)));
    const both = Promise.all([resolve('a.test'), resolve('a.test')]);
    found(FOUND);
    expect(await both).to.deep.equal([FOUND.addresses, FOUND.addresses]);
    expect(asked).to.have.length(1);
  });

  it('caches a failure for three seconds', async () => {
    const { resolve, asked, clock } = cacheOver(() => Promise.reject(new Error('no such name')));
    const failing = () =>
      resolve('a.test').then(
        () => 'found',
        () => 'failed',
      );
    expect(await failing()).to.equal('failed');
    clock.nowMs += 2_999;
    expect(await failing()).to.equal('failed');
    expect(asked).to.have.length(1);
    clock.nowMs += 1;
    await failing();
    expect(asked).to.have.length(2);
  });

  it('evicts the least recently used name beyond its capacity', async () => {
    const { resolve, asked } = cacheOver(async () => FOUND);
    for (let index = 0; index <= 10_000; index += 1) await resolve(`${index}.test`);
    await resolve('10000.test');
    expect(asked).to.have.length(10_001);
    await resolve('0.test');
    expect(asked).to.have.length(10_002);
  });
});
