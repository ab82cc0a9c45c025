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
  const fresh = () =>
    staleWhileRevalidate<number>({ clock: { now: () => now }, maxAgeMs: 1_000, refreshAfterMs: 400 });
  const pass = (ms: number) => {
    now = new Date(now.getTime() + ms);
  };
  beforeEach(() => {
    reads = [];
  });

  it('shares one read among callers that come at once, and tells when it was', async () => {
    const ask = fresh();
    const answers = await Promise.all([ask('a', read('a')), ask('a', read('a')), ask('b', read('b'))]);
    expect(reads).to.deep.equal(['a', 'b']);
    expect(answers[1]).to.deep.equal({ value: 1, asOf: now });
  });

  it('waits for a new read when the value is older than allowed', async () => {
    const ask = fresh();
    await ask('a', read('a'));
    pass(1_001);
    expect(await ask('a', read('a'))).to.deep.equal({ value: 2, asOf: now });
  });

  it('gives a value that grows old, and reads it anew meanwhile, once', async () => {
    const ask = fresh();
    const { asOf } = await ask('a', read('a'));
    pass(400);
    await ask('a', read('a'));
    expect(reads).to.deep.equal(['a']);
    pass(1);
    const renewedAt = now;
    const answers = await Promise.all([ask('a', read('a')), ask('a', read('a'))]);
    expect(answers).to.deep.equal([
      { value: 1, asOf },
      { value: 1, asOf },
    ]);
    expect(reads).to.deep.equal(['a', 'a']);
    await eventually(async () =>
      expect(await ask('a', read('a'))).to.deep.equal({ value: 2, asOf: renewedAt }),
    );
  });

  it('keeps what it has when it cannot be read anew, and tries again', async () => {
    const ask = fresh();
    await ask('a', read('a'));
    pass(401);
    const failing = async () => {
      throw new Error('away');
    };
    expect((await ask('a', failing)).value).to.equal(1);
    await eventually(async () => {
      await ask('a', read('a'));
      expect(reads).to.have.length(2);
    });
    pass(1_001);
    expect(await ask('a', failing).catch((error: Error) => error.message)).to.equal('away');
  });

  it('does not remember a read that failed', async () => {
    const ask = fresh();
    const failure = await ask('a', async () => {
      throw new Error('away');
    }).catch((error: Error) => error.message);
    expect(failure).to.equal('away');
    expect((await ask('a', read('a'))).value).to.equal(1);
  });
});
