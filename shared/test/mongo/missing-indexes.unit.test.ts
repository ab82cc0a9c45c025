import { expect } from 'chai';
import type { Database } from '../../src/mongo/connect.js';
import { INDEXES } from '../../src/mongo/indexes.js';
import { missingIndexes } from '../../src/mongo/missing-indexes.js';

/** Collections are named as they are declared. @param listed what the server lists of the outbox; all is well with the others */
function aDatabase(listed: readonly object[]): Pick<Database, 'db' | 'collections'> {
  const names = Object.keys(INDEXES) as (keyof typeof INDEXES)[];
  const list = (name: keyof typeof INDEXES) => (name === 'outbox' ? listed : INDEXES[name]);
  return {
    db: {
      runCursorCommand: ({ listIndexes }: { listIndexes: keyof typeof INDEXES }) => ({
        toArray: async () => list(listIndexes),
      }),
    },
    collections: Object.fromEntries(names.map((name) => [name, { collectionName: name }])),
  } as never;
}

describe('missing indexes', () => {
  const complete = INDEXES.outbox.map(({ key, ...options }) => ({ v: 2, key, ...options }));

  it('are none where all are complete, in any order and beside others', async () => {
    const other = { v: 2, key: { other: 1 } };
    expect(await missingIndexes(aDatabase([other, ...complete.toReversed()]))).to.deep.equal([]);
  });

  it('include those that are being built, which the server lists as well', async () => {
    const [first, ...others] = complete;
    const building = { spec: first, buildUUID: 'fc53b672-b7e8-4f9f-b731-652c65099e59' };
    expect(await missingIndexes(aDatabase([building, ...others]))).to.deep.equal([
      'outbox {claimedUntil: 1}',
    ]);
  });
});
