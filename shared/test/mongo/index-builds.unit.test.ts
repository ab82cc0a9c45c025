import { expect } from 'chai';
import type { Database } from '../../src/mongo/connect.js';
import { describeIndexBuild, readIndexBuilds } from '../../src/mongo/index-builds.js';
import { INDEXES } from '../../src/mongo/indexes.js';

type Name = keyof typeof INDEXES;

/** A database that lacks the indexes of the outbox. @param operations what the server reports; null if it refuses to */
function aDatabase(operations: readonly object[] | null) {
  const names = Object.keys(INDEXES) as Name[];
  const toArray = async () => {
    if (operations === null) throw new Error('not authorized on admin to execute command');
    return operations;
  };
  return {
    client: { db: () => ({ aggregate: () => ({ toArray }) }) },
    db: {
      databaseName: 'postrider',
      runCursorCommand: ({ listIndexes }: { listIndexes: Name }) => ({
        toArray: async () => (listIndexes === 'outbox' ? [] : INDEXES[listIndexes]),
      }),
    },
    collections: Object.fromEntries(names.map((name) => [name, { collectionName: name }])),
  } as unknown as Database;
}

const describeAll = async (operations: readonly object[] | null) =>
  (await readIndexBuilds(aDatabase(operations))).map(describeIndexBuild);
const scanning = (facts: object) => ({
  ns: 'postrider.outbox',
  msg: 'Index Build: scanning collection Index Build: scanning collection: 1500/6000 25%',
  progress: { done: 1500, total: 6000 },
  ...facts,
});

describe('index builds', () => {
  const named = 'outbox {claimedUntil: 1}, {dueAt: 1}, {setAsideAt: 1}';

  it('are described with the phase and the share that is done', async () => {
    expect(await describeAll([scanning({ ns: 'other.outbox' }), scanning({})])).to.deep.equal([
      `${named}: scanning collection, 1500 of about 6000 (25 %)`,
    ]);
  });

  it('never exceed 100 %, although documents are added meanwhile', async () => {
    const msg = 'Index Build: inserting keys from external sorter into index';
    expect(await describeAll([scanning({ msg, progress: { done: 7000, total: 6000 } })])).to.deep.equal([
      `${named}: inserting keys from external sorter into index, 7000 of about 6000 (100 %)`,
    ]);
  });

  it('are described with the phase alone between its steps', async () => {
    const msg = 'Index Build: inserting keys from external sorter into index';
    expect(await describeAll([{ ns: 'postrider.outbox', msg }])).to.deep.equal([
      `${named}: inserting keys from external sorter into index`,
    ]);
  });

  it('are named alone if the server does not report them, or does not permit it', async () => {
    expect(await describeAll([])).to.deep.equal([named]);
    expect(await describeAll(null)).to.deep.equal([named]);
  });
});
