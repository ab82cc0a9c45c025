import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { FIRST_LEVEL, LASTING_SERVICES, NEWEST_LEVEL } from '../../src/domain/feature-level.js';
import { createFeatureLevelStore, type FeatureLevelStore } from '../../src/mongo/feature-level-store.js';
import { type FollowedFeatureLevel, followFeatureLevel } from '../../src/platform/follow-feature-level.js';
import type { Log } from '../../src/ports/log.js';
import { eventually } from '../../src/testing/eventually.js';
import { emptyDatabase, type TestDatabase } from '../../src/testing/test-database.js';

const HOUR_MS = 3_600_000;

describe('the feature level', () => {
  let database: TestDatabase;
  let store: FeatureLevelStore;
  const followed: FollowedFeatureLevel[] = [];
  beforeEach(async () => {
    database = await emptyDatabase();
    store = createFeatureLevelStore(database);
  });
  afterEach(async () => {
    for (const level of followed.splice(0)) level.stop();
    await database.drop();
  });

  /** A connected process of the version that knew no levels. */
  async function olderProcess(): Promise<MongoClient> {
    const client = await new MongoClient(database.uri, { appName: 'dispatcher' }).connect();
    await client.db().command({ hello: 1 });
    return client;
  }
  const watch = async (
    services: readonly string[],
    { quietMs, older }: { quietMs: number; older: boolean },
  ) => {
    let level = 0;
    for (const service of services)
      level = await store.watch({ services: [service], level: NEWEST_LEVEL, quietMs }, older);
    return level;
  };
  /** All services have watched for two hours. */
  const watchedForHours = (more: object = {}) => {
    const since = new Date(Date.now() - 2 * HOUR_MS);
    const watches = Object.fromEntries(LASTING_SERVICES.map((name) => [name, { since, at: new Date() }]));
    const _id = `rise_to_level_${NEWEST_LEVEL}`;
    return database.db
      .collection<{ _id: string; watches: object }>('meta')
      .insertOne({ _id, watches, ...more });
  };

  it('rises after the last older process is gone', async () => {
    const older = await olderProcess();
    const lines: string[] = [];
    const note = (facts: object) => void lines.push((facts as { event: string }).event);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    for (const service of LASTING_SERVICES)
      followed.push(await followFeatureLevel({ store, services: [service], log, everyMs: 10, quietMs: 100 }));
    await eventually(() => expect(lines).to.include('feature_level.waiting'));
    expect(followed.map((level) => level.current())).to.deep.equal([1, 1, 1]);
    expect(followed[0]?.allows('embeddedAttempts')).to.equal(false);
    await older.close();
    await eventually(() => {
      expect(followed.map((level) => level.current())).to.deep.equal(
        LASTING_SERVICES.map(() => NEWEST_LEVEL),
      );
      expect(followed[0]?.allows('embeddedAttempts')).to.equal(true);
    });
    expect(lines.filter((event) => event === 'feature_level.raised')).to.have.length(3);
  });

  it('is not looked for again once it is the newest', async () => {
    await store.begin(NEWEST_LEVEL);
    const fail = () => Promise.reject(new Error('it was looked for'));
    const lines: object[] = [];
    const note = (facts: object) => void lines.push(facts);
    const log: Log = { debug: note, info: note, warn: note, error: note };
    const level = await followFeatureLevel({
      store: { read: store.read, olderProcesses: fail, watch: fail },
      services: ['api'],
      log,
      everyMs: 0,
    });
    followed.push(level);
    await database.db.command({ ping: 1 });
    expect([level.current(), lines]).to.deep.equal([NEWEST_LEVEL, []]);
  });

  it('stays while a service does not watch, because it may see processes that others cannot see', async () => {
    expect(await watch(['api', 'dispatcher'], { quietMs: 0, older: false })).to.equal(FIRST_LEVEL);
    expect(await watch(['dlq-consumer'], { quietMs: 0, older: false })).to.equal(NEWEST_LEVEL);
  });

  it('stays until the services have watched for long enough', async () => {
    expect(await watch(LASTING_SERVICES, { quietMs: HOUR_MS, older: false })).to.equal(FIRST_LEVEL);
  });

  it('stays for a while after any process has seen an older one', async () => {
    await watchedForHours();
    expect(await watch(['dispatcher'], { quietMs: HOUR_MS, older: true })).to.equal(FIRST_LEVEL);
    expect(await watch(LASTING_SERVICES, { quietMs: HOUR_MS, older: false })).to.equal(FIRST_LEVEL);
  });

  it('rises when the last sighting is long enough ago', async () => {
    await watchedForHours({ olderSeenAt: new Date(Date.now() - 2 * HOUR_MS) });
    expect(await watch(['api'], { quietMs: HOUR_MS, older: false })).to.equal(NEWEST_LEVEL);
  });

  it('begins a service anew that stopped watching', async () => {
    const at = new Date(Date.now() - HOUR_MS);
    await watchedForHours({ olderSeenAt: at });
    const meta = database.db.collection<{ _id: string }>('meta');
    await meta.updateOne({}, { $set: { 'watches.dispatcher.at': at } });
    expect(await watch(LASTING_SERVICES, { quietMs: 1_000, older: false })).to.equal(FIRST_LEVEL);
  });

  it('never falls', async () => {
    await store.begin(NEWEST_LEVEL + 1);
    expect(await watch(LASTING_SERVICES, { quietMs: 0, older: false })).to.equal(NEWEST_LEVEL + 1);
  });

  it('does not count its own processes and other programs as older', async () => {
    const other = await new MongoClient(database.uri, { appName: 'mongosh' }).connect();
    await other.db().command({ hello: 1 });
    expect(await store.olderProcesses(NEWEST_LEVEL)).to.deep.equal([]);
    await other.close();
  });
});
