import { expect } from 'chai';
import type { AttemptFields } from '../../src/domain/delivery.js';
import type { AttemptObservation } from '../../src/domain/settle.js';
import { settleAll } from '../../src/domain/settle-all.js';
import { createSettlementStore } from '../../src/mongo/settlement-store.js';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
  later,
  NOON,
} from '../../src/testing/builders.js';
import { fixedFeatureLevel } from '../../src/testing/fixed-feature-level.js';
import { storedAttempts } from '../../src/testing/stored-attempts.js';
import { offers, type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

// After a rebalance two processes may briefly own the same endpoint: then only the database serializes their
// commits.
describe('concurrent settling', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  const { relay, offered } = offers();
  const clock = { now: () => NOON };
  const featureLevel = fixedFeatureLevel();
  const store = () => createSettlementStore({ database, relay, clock, featureLevel, outboxClaimMs: 15_000 });
  const settle = (observations: readonly AttemptObservation[]) =>
    store().settle(observations, (stored) => settleAll(stored, observations, 30_000));
  /** Stores new rows of one endpoint. @returns a failed observation of each, a second apart */
  async function failures(count: number): Promise<AttemptObservation[]> {
    const observed = Array.from({ length: count }, (_, n) =>
      anAttemptObservation({
        deliveryId: idFor('delivery', `${n}`),
        outcome: answered(503),
        endedAt: later(n * 1_000),
      }),
    );
    const deliveries = observed.map(({ deliveryId }) => aDelivery({ id: deliveryId }));
    await database.store({ deliveries, endpoints: [anEndpoint()] });
    return observed;
  }
  const inChunks = <T>(all: readonly T[], size: number): T[][] =>
    Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
  const stored = () => storedAttempts(database.collections);
  /** The changes of the streak in the order in which they happened, as `version: before → after`. */
  const chainOf = (attempts: readonly Pick<AttemptFields, 'streak'>[]) =>
    attempts
      .flatMap(({ streak }) => streak ?? [])
      .sort((one, other) => one.version - other.version)
      .map(({ version, before, after }) => `${version}: ${before} → ${after}`);
  const chain = (links: number) => Array.from({ length: links }, (_, n) => `${n + 1}: ${n} → ${n + 1}`);

  it('stores a chain of streak changes without gaps or forks', async () => {
    const observed = await failures(16);
    await Promise.all(inChunks(observed, 2).map(settle));
    const endpoint = await database.collections.endpoints.findOne();
    expect(endpoint).to.include({ consecutiveFailures: 16, streakVersion: 16, enabled: true });
    expect(chainOf(await stored())).to.deep.equal(chain(16));
  });

  it('warns once after 10 failures and disables once after 20, each with one notification and message', async () => {
    offered.length = 0;
    const observed = await failures(30);
    await Promise.all(inChunks(observed, 3).map(settle));
    const { endpoints, auditEvents, notifications, outbox } = database.collections;
    expect(await endpoints.findOne()).to.include({
      consecutiveFailures: 20,
      streakVersion: 20,
      enabled: false,
    });
    const [audit, ...moreAudits] = await auditEvents.find().toArray();
    expect(audit).to.deep.include({
      action: 'webhook_endpoint.disabled',
      streak: { version: 20, before: 19, after: 20 },
    });
    expect(moreAudits).to.deep.equal([]);
    const kinds = (await notifications.find().toArray()).map(({ kind }) => kind);
    expect(kinds).to.have.members(['endpoint_failing', 'endpoint_disabled']);
    expect(await outbox.countDocuments()).to.equal(2);
    expect(offered).to.have.length(2);
    const attempts = await stored();
    expect(attempts).to.have.length(30);
    expect(chainOf(attempts)).to.deep.equal(chain(20));
  });

  it('does not warn while processes run that cannot publish it', async () => {
    const observed = await failures(10);
    const old = createSettlementStore({
      database,
      relay,
      clock,
      featureLevel: fixedFeatureLevel(1),
      outboxClaimMs: 15_000,
    });
    await old.settle(observed, (stored) => settleAll(stored, observed, 30_000));
    expect(await database.collections.endpoints.findOne()).to.include({ consecutiveFailures: 10 });
    expect(await database.collections.notifications.countDocuments()).to.equal(0);
    expect(await database.collections.outbox.countDocuments()).to.equal(0);
  });

  it('keeps the first of several concurrent observations of an attempt', async () => {
    const [observed] = await failures(1);
    const others = [200, 404, 500].map((status) => ({ ...observed!, outcome: answered(status) }));
    const settled = await Promise.all([observed!, ...others].map((one) => settle([one])));
    expect(settled.flatMap(({ results }) => results.filter(({ isStored }) => isStored))).to.have.length(1);
    const [attempt, ...more] = await stored();
    expect(more).to.deep.equal([]);
    const row = await database.collections.deliveries.findOne();
    expect(row).to.include({ attempts: 1, status: attempt?.status });
    expect(row?.lastAttempt?.httpStatus).to.equal(attempt?.httpStatus);
    const { streakVersion } = (await database.collections.endpoints.findOne())!;
    expect(streakVersion).to.equal(attempt?.status === 'delivered' ? 0 : 1);
  });

  it('keeps the first of several concurrent observations, whether they are recorded alone or in transactions', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [observed] = await failures(1);
      const success = { ...observed!, outcome: answered(200) };
      const known = {
        deliveries: new Map([[observed!.deliveryId, aDelivery({ id: observed!.deliveryId })]]),
        endpoints: new Map([[anEndpoint().id, anEndpoint()]]),
      };
      const record = () => store().record(settleAll(known, [success], 30_000), new Date(Date.now() + 60_000));
      const [first, second, settled] = await Promise.all([record(), record(), settle([observed!])]);
      const accepted = [first, second, settled.results[0]?.isStored].filter((one) => one === true);
      expect(accepted).to.have.length(1);
      const [attempt, ...more] = await stored();
      expect(more).to.deep.equal([]);
      expect(attempt?.httpStatus).to.equal(settled.results[0]?.isStored ? 503 : 200);
      expect(await database.collections.deliveries.findOne()).to.include({
        attempts: 1,
        status: attempt?.status,
      });
      await database.clear();
    }
  });

  it('counts a batch once that two processes settle', async () => {
    const observed = await failures(10);
    await Promise.all([settle(observed), settle(observed.toReversed())]);
    expect(await database.collections.endpoints.findOne()).to.include({
      consecutiveFailures: 10,
      streakVersion: 10,
    });
    expect(chainOf(await stored())).to.deep.equal(chain(10));
  });
});
