import { emptyDatabase, type TestDatabase } from '@postrider/shared/testing/test-database';
import { expect } from 'chai';
import { createStreamCounts } from '../../src/mongo/stream-counts.js';
import { recordedLog } from '../recorded-log.js';

describe('open streams', () => {
  let database: TestDatabase;
  before(async () => {
    database = await emptyDatabase();
  });
  after(() => database?.drop());
  beforeEach(() => stored().deleteMany({}));

  const stored = () => database.collections.openStreams;
  const processNamed = (processId: string) =>
    createStreamCounts({ collections: database.collections, processId, log: recordedLog() });

  it('are counted over all processes, by credential', async () => {
    const [one, other] = [processNamed('one'), processNamed('other')];
    expect([await one.add('tok_1'), await one.add('tok_1'), await one.add('tok_2')]).to.deep.equal([1, 2, 1]);
    expect([await other.add('tok_1'), await other.add('tok_2')]).to.deep.equal([3, 2]);
    one.remove('tok_1');
    expect(await other.add('tok_2')).to.equal(3);
    expect(await other.add('tok_1')).to.equal(3);
  });

  it('never leave both of two processes without the other, when they add at the same time', async () => {
    const processes = Array.from({ length: 6 }, (_, n) => processNamed(`${n}`));
    const counts = await Promise.all(processes.flatMap((one) => [one.add('tok_1'), one.add('tok_1')]));
    expect(Math.max(...counts)).to.equal(12);
    expect(counts.filter((count) => count <= 10).length).to.be.at.most(10);
  });

  it('of a process that ended count no more, and of a killed one until they expire', async () => {
    const [stopped, killed, other] = [processNamed('stopped'), processNamed('killed'), processNamed('other')];
    await stopped.add('tok_1');
    await killed.add('tok_1');
    expect(await other.add('tok_1')).to.equal(3);
    await stopped.close();
    await stored().updateOne({ _id: 'killed' }, { $set: { expiresAt: new Date(0) } });
    expect(await other.add('tok_1')).to.equal(2);
  });

  it('are those of the process alone while the others cannot be read', async () => {
    const unreadable = {
      updateOne: async () => {
        throw new Error('no primary');
      },
    };
    const collections = { openStreams: unreadable as unknown as TestDatabase['collections']['openStreams'] };
    const one = createStreamCounts({ collections, processId: 'one', log: recordedLog() });
    expect([await one.add('tok_1'), await one.add('tok_1')]).to.deep.equal([1, 2]);
  });
});
