import { expect } from 'chai';
import {
  createClockHoldRecord,
  createFindSendingHolds,
  createGuardRecords,
} from '../../src/mongo/outage-guard-records.js';
import { type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

describe('records of outage guards', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await testDatabase();
  });
  afterEach(() => database?.drop());

  it('are shared with other dispatchers and expire', async () => {
    const clock = { at: Date.now(), now: () => new Date(clock.at) };
    const { collections } = database;
    const records = (processId: string) => createGuardRecords(collections, { processId, clock });
    const holds = createFindSendingHolds(collections, clock);
    const begun = new Date(clock.at);
    const domains = (unreached: boolean) => [{ domain: 'a.example', workspaceId: 'ws_1', unreached }];

    const origins = [{ origin: 'https://a.example', workspaceId: 'ws_1' }];
    const record = (holding: boolean) => ({ holding, domains: domains(holding), origins });

    const one = records('one');
    await one.publish(record(true));
    await records('two').publish(record(false));
    expect(await records('one').others()).to.deep.equal([record(false)]);
    expect(await records('three').others()).to.have.length(2);
    expect(await holds()).to.deep.equal([{ cause: 'outage', since: begun }]);
    clock.at += 1_000;
    await one.publish(record(true));
    await records('three').publish(record(true));
    expect(await holds(), 'the first of several').to.deep.equal([{ cause: 'outage', since: begun }]);
    await records('three').publish(record(false));

    await records('one').publish(record(false));
    expect(await holds()).to.deep.equal([]);

    await records('one').publish(record(true));
    clock.at += 15_000;
    expect(await holds()).to.deep.equal([]);
    expect(await records('two').others()).to.deep.equal([]);

    const expiresAt = new Date(clock.at + 1_000);
    await collections.outageGuards.insertOne({ _id: 'old', holding: true, domains: [], expiresAt });
    expect(await records('two').others(), 'of an older version').to.deep.equal([
      { holding: true, domains: [], origins: [] },
    ]);
    expect(await holds(), 'of an older version').to.deep.equal([{ cause: 'outage', since: null }]);
  });

  it('say of a dispatcher that holds because of its clock only that, and no outage to any version', async () => {
    const clock = { at: Date.now(), now: () => new Date(clock.at) };
    const { collections } = database;
    const holds = createFindSendingHolds(collections, clock);
    const record = createClockHoldRecord(collections, { processId: 'one', clock });
    const begun = new Date(clock.at);
    await record.publish(true);
    clock.at += 10_000;
    await record.publish(true);
    expect(await holds()).to.deep.equal([{ cause: 'clock', since: begun }]);
    expect(
      await collections.outageGuards.find({ holding: true }).toArray(),
      'an older version',
    ).to.deep.equal([]);
    for (const processId of ['one', 'two'])
      expect(await createGuardRecords(collections, { processId, clock }).others(), processId).to.deep.equal(
        [],
      );
    await createGuardRecords(collections, { processId: 'two', clock }).publish({
      holding: true,
      domains: [],
      origins: [],
    });
    expect((await holds()).map(({ cause }) => cause)).to.deep.equal(['outage', 'clock']);
    await record.publish(false);
    expect((await holds()).map(({ cause }) => cause)).to.deep.equal(['outage']);
  });

  it('of a dispatcher whose clock was wrong expire, although the clock is set back', async () => {
    const clock = { at: Date.now() + 3_600_000, now: () => new Date(clock.at) };
    const { collections } = database;
    const holds = createFindSendingHolds(collections, clock);
    const [killed, running] = ['killed', 'running'].map((processId) =>
      createClockHoldRecord(collections, { processId, clock }),
    );
    await killed?.publish(true);
    await running?.publish(true);
    clock.at -= 3_600_000;
    expect(await holds()).to.deep.equal([]);
    await running?.publish(true);
    expect(await holds(), 'not since a later time').to.deep.equal([{ cause: 'clock', since: clock.now() }]);
    clock.at += 30_000;
    expect(await holds()).to.deep.equal([]);
  });
});
