import { expect } from 'chai';
import { remembered } from '../../src/operations/remembered.js';

describe('remembered', () => {
  let now = new Date('2026-03-01T12:00:00.000Z');
  let reads: string[] = [];
  const read = (key: string) => async () => {
    reads.push(key);
    return reads.length;
  };
  const fresh = () => remembered<number>({ clock: { now: () => now }, maxAgeMs: 1_000 });
  beforeEach(() => {
    reads = [];
  });

  it('shares one read among callers that come at once, and tells when it was', async () => {
    const ask = fresh();
    const answers = await Promise.all([ask('a', read('a')), ask('a', read('a')), ask('b', read('b'))]);
    expect(reads).to.deep.equal(['a', 'b']);
    expect(answers[1]).to.deep.equal({ value: 1, asOf: now });
  });

  it('reads again when the value is older than allowed, and not before', async () => {
    const ask = fresh();
    await ask('a', read('a'));
    now = new Date(now.getTime() + 1_000);
    expect((await ask('a', read('a'))).value).to.equal(1);
    now = new Date(now.getTime() + 1);
    expect(await ask('a', read('a'))).to.deep.equal({ value: 2, asOf: now });
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
