import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';
import { shareReads } from '../../src/mongo/share-reads.js';
import { heldQueries } from './held-queries.js';

describe('shared reads', () => {
  /** Each read ends when the test releases it, with its number. */
  function setUp(withinMs?: number) {
    const { ask, query, queries } = heldQueries((_key: string, number) => number);
    return { request: shareReads(ask, withinMs), query, queries };
  }

  it('share the next read of their key, which starts after they were requested', async () => {
    const { request, query, queries } = setUp();
    const early = request('a');
    const first = await query(0);
    const late = Promise.all([request('a'), request('a'), request('a')]);
    first.release();
    expect(await early).to.equal(0);
    (await query(1)).release();
    expect(await late).to.deep.equal([1, 1, 1]);
    expect(queries).to.have.length(2);
  });

  it('do not wait for those of other keys', async () => {
    const { request, query } = setUp();
    const slow = request('a');
    await query(0);
    const other = request('b');
    const second = await query(1);
    expect(second.asked).to.equal('b');
    second.release();
    expect(await other).to.equal(1);
    (await query(0)).release();
    expect(await slow).to.equal(0);
  });

  it('are made again for a later request', async () => {
    const { request, query } = setUp();
    for (const number of [0, 1]) {
      const answer = request('a');
      (await query(number)).release();
      expect(await answer).to.equal(number);
    }
  });

  it('are rejected with Unavailable when a query hangs, and the next one is made', async () => {
    const { request, query } = setUp(10);
    const failed = await request('a').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Refusal).with.property('tag', 'Unavailable');
    const answer = request('a');
    (await query(1)).release();
    expect(await answer).to.equal(1);
  });
});
