import { expect } from 'chai';
import { BSON } from 'mongodb';
import { createReadRows } from '../../src/mongo/read-rows.js';
import { idFor } from '../../src/testing/builders.js';

/** A collection that returns rows with these ids and payloads of this size in one batch. */
function collectionOf(ids: readonly string[], characters: number) {
  const payload = { text: 'x'.repeat(characters) };
  const batch = ids.map((_id) => Buffer.from(BSON.serialize({ _id, payload })));
  const find = () => ({
    next: async () => batch.shift() ?? null,
    readBufferedDocuments: () => batch.splice(0),
    close: async () => {},
  });
  return { deliveries: { find } } as unknown as Parameters<typeof createReadRows>[0];
}

/** The number of turns of the event loop until a promise resolves. */
async function turnsOf(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let hasEnded = false;
  const count = () => {
    if (hasEnded) return;
    turns += 1;
    setImmediate(count);
  };
  setImmediate(count);
  await work;
  hasEnded = true;
  return turns;
}

describe('reading rows', () => {
  // Regression: 8 MiB were decoded in one turn, which may take more than a tenth of a second if they consist of small parts.
  it('decodes large rows in turns of the event loop, and small ones in one', async () => {
    const ids = Array.from({ length: 8 }, (_, n) => idFor('delivery', `row ${n}`));
    const large = createReadRows(collectionOf(ids, 300_000))(ids);
    expect(await turnsOf(large)).to.be.at.least(7);
    expect((await large).rows.map(({ _id }) => _id)).to.deep.equal(ids);
    const small = createReadRows(collectionOf(ids, 1_000))(ids);
    expect(await turnsOf(small)).to.equal(0);
  });
});
