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

    await records('one').publish({ holding: true, domains: domains(true) });
    await records('two').publish({ holding: false, domains: domains(false) });
    expect(await records('one').others()).to.deep.equal(domains(false));
    expect(await records('three').others()).to.have.length(2);
    expect(await isSendingHeld()).to.equal(true);

    await records('one').publish({ holding: false, domains: [] });
    expect(await isSendingHeld()).to.equal(false);

    await records('one').publish({ holding: true, domains: domains(true) });
    clock.at += 15_000;
    expect(await isSendingHeld()).to.equal(false);
    expect(await records('two').others()).to.deep.equal([]);
  });
});
