import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { staleWhileRevalidate } from '../../src/operations/stale-while-revalidate.js';

describe('staleWhileRevalidate', () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  let reads: string[] = [];
  const read = (key: string) => async () => {
    reads.push(key);
    return reads.length;
  };
  const createCache = (refreshAfterMs = 400) =>
    staleWhileRevalidate<number>({ clock: { now: () => now }, maxAgeMs: 1_000, refreshAfterMs });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  beforeEach(() => {
    reads = [];
  });

  it('shares one read among concurrent callers and returns its time', async () => {
    const get = createCache();
    const results = await Promise.all([get('a', read('a')), get('a', read('a')), get('b', read('b'))]);
    expect(reads).to.deep.equal(['a', 'b']);
    expect(results[1]).to.deep.equal({ value: 1, asOf: now });
  });

  it('waits for a new read when the value has expired', async () => {
    const get = createCache();
    await get('a', read('a'));
    pass(1_001);
    expect(await get('a', read('a'))).to.deep.equal({ value: 2, asOf: now });
  });

  it('returns an aging value and refreshes it once in the background', async () => {
    const get = createCache();
    const { asOf } = await get('a', read('a'));
    pass(400);
    await get('a', read('a'));
    expect(reads).to.deep.equal(['a']);
    pass(1);
    const renewedAt = now;
    const results = await Promise.all([get('a', read('a')), get('a', read('a'))]);
    expect(results).to.deep.equal([
      { value: 1, asOf },
      { value: 1, asOf },
    ]);
    expect(reads).to.deep.equal(['a', 'a']);
    await eventually(async () =>
      expect(await get('a', read('a'))).to.deep.equal({ value: 2, asOf: renewedAt }),
    );
  });

  it('keeps the value when a refresh fails, and tries again', async () => {
    const get = createCache();
    await get('a', read('a'));
    pass(401);
    const failing = async () => {
      throw new Error('away');
    };
    expect((await get('a', failing)).value).to.equal(1);
    await eventually(async () => {
      await get('a', read('a'));
      expect(reads).to.have.length(2);
    });
    pass(1_001);
    expect(await get('a', failing).catch((error: Error) => error.message)).to.equal('away');
  });

  it('does not cache a failed read', async () => {
    const get = createCache();
    const failure = await get('a', async () => {
      throw new Error('away');
    }).catch((error: Error) => error.message);
    expect(failure).to.equal('away');
    expect((await get('a', read('a'))).value).to.equal(1);
  });

  it('runs one read at a time, also if it takes longer than a value is kept, and keeps its value', async () => {
    const get = createCache();
    const asOf = now;
    const [slow, finish] = pending();
    const first = get('a', slow);
    pass(1_200);
    const second = get('a', slow);
    pass(300);
    finish(7);
    expect(await Promise.all([first, second])).to.deep.equal([
      { value: 7, asOf },
      { value: 7, asOf },
    ]);
    expect(await get('a', read('a'))).to.deep.equal({ value: 7, asOf });
    expect(reads).to.deep.equal(['slow']);
  });

  // Regression: the age counted from the end of the read, so a value was returned for as much longer as its read had taken.
  it('counts the age of a value from the beginning of its read', async () => {
    const get = createCache(1_000);
    const [slow, finish] = pending();
    const first = get('a', slow);
    pass(900);
    finish(7);
    await first;
    pass(100);
    expect((await get('a', read('a'))).value).to.equal(7);
    pass(1);
    expect(await get('a', read('a'))).to.deep.equal({ value: 2, asOf: now });
  });

  it('refreshes a value by its age from the beginning of its read', async () => {
    const get = createCache();
    const [slow, finish] = pending();
    const first = get('a', slow);
    pass(300);
    finish(7);
    await first;
    pass(101);
    expect((await get('a', read('a'))).value).to.equal(7);
    expect(reads).to.deep.equal(['slow', 'a']);
  });

  it('returns no expired value that was stored after one whose read took longer than values are kept', async () => {
    const get = createCache(1_000);
    const [[slow, finishSlow], [next, finishNext]] = [pending(), pending()];
    const first = get('a', slow);
    pass(600);
    const second = get('b', next);
    pass(900);
    finishSlow(7);
    await first;
    pass(100);
    finishNext(8);
    await second;
    expect((await get('b', read('b'))).value).to.equal(8);
    pass(1);
    expect((await get('b', read('b'))).value).to.equal(3);
    expect((await get('a', read('a'))).value).to.equal(7);
  });

  it('waits for a refresh that outlasts the value instead of reading again', async () => {
    const get = createCache();
    await get('a', read('a'));
    pass(401);
    const [slow, finish] = pending();
    expect((await get('a', slow)).value).to.equal(1);
    pass(1_000);
    const waiting = get('a', slow);
    finish(7);
    expect((await waiting).value).to.equal(7);
    expect(reads).to.deep.equal(['a', 'slow']);
  });

  /** A read that ends when the test says so. */
  function pending(): [() => Promise<number>, (value: number) => void] {
    const { promise, resolve } = Promise.withResolvers<number>();
    const slow = () => {
      reads.push('slow');
      return promise;
    };
    return [slow, resolve];
  }
});
