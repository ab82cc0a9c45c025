import { expect } from 'chai';
import { createGuardRecords, createIsSendingHeld } from '../../src/mongo/outage-guard-records.js';
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
    const isSendingHeld = createIsSendingHeld(collections, clock);
    const domains = (unreached: boolean) => [{ domain: 'a.example', workspaceId: 'ws_1', unreached }];

    const origins = [{ origin: 'https://a.example', workspaceId: 'ws_1' }];
    const record = (holding: boolean) => ({ holding, domains: domains(holding), origins });

    await records('one').publish(record(true));
    await records('two').publish(record(false));
    expect(await records('one').others()).to.deep.equal([record(false)]);
    expect(await records('three').others()).to.have.length(2);
    expect(await isSendingHeld()).to.equal(true);

    await records('one').publish(record(false));
    expect(await isSendingHeld()).to.equal(false);

    await records('one').publish(record(true));
    clock.at += 15_000;
    expect(await isSendingHeld()).to.equal(false);
    expect(await records('two').others()).to.deep.equal([]);

    const expiresAt = new Date(clock.at + 1_000);
    await collections.outageGuards.insertOne({ _id: 'old', holding: true, domains: [], expiresAt });
    expect(await records('two').others(), 'of an older version').to.deep.equal([
      { holding: true, domains: [], origins: [] },
    ]);
  });
});
