import { expect } from 'chai';
import { createFindSendingHold, createGuardRecords } from '../../src/mongo/outage-guard-records.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

describe('records of outage guards', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database?.drop());

  it('are shared with other dispatchers and expire', async () => {
    const clock = { at: Date.now(), now: () => new Date(clock.at) };
    const { collections } = database;
    const records = (processId: string) => createGuardRecords(collections, { processId, clock });
    const hold = createFindSendingHold(collections, clock);
    const begun = new Date(clock.at);
    const domains = (unreached: boolean) => [{ domain: 'a.example', workspaceId: 'ws_1', unreached }];

    const origins = [{ origin: 'https://a.example', workspaceId: 'ws_1' }];
    const record = (holding: boolean) => ({ holding, domains: domains(holding), origins });

    const one = records('one');
    await one.publish(record(true));
    await records('two').publish(record(false));
    expect(await records('one').others()).to.deep.equal([record(false)]);
    expect(await records('three').others()).to.have.length(2);
    expect(await hold()).to.deep.equal({ since: begun });
    clock.at += 1_000;
    await one.publish(record(true));
    await records('three').publish(record(true));
    expect(await hold(), 'the first of several').to.deep.equal({ since: begun });
    await records('three').publish(record(false));

    await records('one').publish(record(false));
    expect(await hold()).to.equal(null);

    await records('one').publish(record(true));
    clock.at += 15_000;
    expect(await hold()).to.equal(null);
    expect(await records('two').others()).to.deep.equal([]);

    const expiresAt = new Date(clock.at + 1_000);
    await collections.outageGuards.insertOne({ _id: 'old', holding: true, domains: [], expiresAt });
    expect(await records('two').others(), 'of an older version').to.deep.equal([
      { holding: true, domains: [], origins: [] },
    ]);
    expect(await hold(), 'of an older version').to.deep.equal({ since: null });
  });
});
