import { expect } from 'chai';
import { Refusal } from '../../src/domain/refusal.js';
import { sharedLookup } from '../../src/mongo/shared-lookup.js';
import { heldQueries } from './held-queries.js';

describe('shared lookup', () => {
  /** Stores nothing but keys that begin with `a`; each query ends when the test releases it. */
  function setUp(withinMs?: number) {
    const { ask, query, queries } = heldQueries((keys: readonly string[]) =>
      keys.filter((key) => key.startsWith('a')),
    );
    const find = sharedLookup(ask, (key) => key, withinMs);
    return { find, query, queries };
  }

  it('runs one query for requests that arrive together', async () => {
    const { find, query, queries } = setUp();
    const found = Promise.all([find('a1'), find('b'), find('a1'), find('a2')]);
    const first = await query(0);
    first.release();
    expect(await found).to.deep.equal(['a1', null, 'a1', 'a2']);
    expect(first.asked).to.deep.equal(['a1', 'b', 'a2']);
    expect(queries).to.have.length(1);
  });

  it('uses no result of a query that began before the request arrived', async () => {
    const { find, query } = setUp();
    const early = find('a1');
    const first = await query(0);
    const late = find('a1');
    first.release();
    await early;
    (await query(1)).release();
    expect(await late).to.equal('a1');
  });

  it('rejects with Unavailable when a query hangs, and then sends the next one', async () => {
    const { find, query } = setUp(10);
    const failed = await find('a1').catch((error: unknown) => error);
    expect(failed).to.be.instanceOf(Refusal).with.property('tag', 'Unavailable');
    const next = find('a2');
    (await query(1)).release();
    expect(await next).to.equal('a2');
  });
});
