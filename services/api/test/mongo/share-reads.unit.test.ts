import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';
import { shareReads } from '../../src/mongo/share-reads.js';

describe('shared reads', () => {
  /** Each read ends when the test releases it, with its number. */
  function setUp(withinMs?: number) {
    const reads: { readonly key: string; readonly release: () => void }[] = [];
    const request = shareReads(
      (key) =>
        new Promise<number>((resolve) => {
          const number = reads.length;
          reads.push({ key, release: () => resolve(number) });
        }),
      withinMs,
    );
    const nextRead = async (index: number) => {
      while (reads[index] === undefined) await new Promise(setImmediate);
      return reads[index];
    };
    return { request, nextRead, reads };
  }

  it('share the next read of their key, which starts after they were requested', async () => {
    const { request, nextRead, reads } = setUp();
    const early = request('a');
    const first = await nextRead(0);
    const late = Promise.all([request('a'), request('a'), request('a')]);
    first.release();
    expect(await early).to.equal(0);
    (await nextRead(1)).release();
    expect(await late).to.deep.equal([1, 1, 1]);
    expect(reads).to.have.length(2);
  });

  it('do not wait for those of other keys', async () => {
    const { request, nextRead } = setUp();
    const slow = request('a');
    await nextRead(0);
    const other = request('b');
    const second = await nextRead(1);
    expect(second.key).to.equal('b');
    second.release();
    expect(await other).to.equal(1);
    (await nextRead(0)).release();
    expect(await slow).to.equal(0);
  });

  it('are made again for a later request', async () => {
    const { request, nextRead } = setUp();
    for (const number of [0, 1]) {
      const answer = request('a');
      (await nextRead(number)).release();
      expect(await answer).to.equal(number);
    }
  });

  it('are rejected with Unavailable when a query hangs, and the next one is made', async () => {
    const { request, nextRead } = setUp(10);
    const failed = await request('a').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Refusal).with.property('tag', 'Unavailable');
    const answer = request('a');
    (await nextRead(1)).release();
    expect(await answer).to.equal(1);
  });
});
