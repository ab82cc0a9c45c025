import { expect } from 'chai';
import { sleep } from '../../src/runtime/sleep.js';

describe('sleep', () => {
  it('resolves after the time', async () => {
    const startedAt = performance.now();
    await sleep(20);
    expect(performance.now() - startedAt).to.be.at.least(19);
  });

  it('rejects with the reason of an abort, before it or while it sleeps', async () => {
    const aborting = new AbortController();
    const reason = new Error('stopped');
    const failure = (sleeping: Promise<void>) => sleeping.catch((error: unknown) => error);
    const sleeping = failure(sleep(60_000, { signal: aborting.signal, ref: false }));
    aborting.abort(reason);
    expect(await sleeping).to.equal(reason);
    expect(await failure(sleep(60_000, { signal: aborting.signal }))).to.equal(reason);
  });
});
