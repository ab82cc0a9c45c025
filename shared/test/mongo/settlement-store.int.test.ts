import { expect } from 'chai';
import type { Endpoint, EndpointTarget } from '../../src/domain/endpoint.js';
import type { Observation } from '../../src/domain/settle.js';
import { settleAll } from '../../src/domain/settle-all.js';
import { fromDeliveryDocument, fromDocument } from '../../src/mongo/documents.js';
import { createSettlementStore } from '../../src/mongo/settlement-store.js';
import {
  aDelivery,
  aFailedDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  aTerminalDelivery,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
} from '../../src/testing/builders.js';
import { offers, type TestDatabase, testDatabase } from '../../src/testing/test-database.js';

const STEP_MS = 30_000;

function targetOf(endpoint: Endpoint): EndpointTarget {
  const { subscriptions: _, description: __, enabledSince: ___, createdAt: ____, ...target } = endpoint;
  return target;
}

describe('the settlement store', () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  afterEach(() => database.clear());
  after(() => database.drop());

  const clock = { now: () => NOON };
  const storeWith = (relay: ReturnType<typeof offers>['relay']) =>
    createSettlementStore({ database, relay, clock, outboxClaimMs: 15_000 });
  const settle = (observations: readonly Observation[], relay = offers().relay) =>
    storeWith(relay).settle(observations, (stored) => settleAll(stored, observations, STEP_MS));
  const counts = async () => {
    const { attempts, auditEvents, notifications, outbox } = database.collections;
    const all = [attempts, auditEvents, notifications, outbox].map((one) => one.countDocuments());
    const [evidence, audits, notes, records] = await Promise.all(all);
    return { attempts: evidence, audits, notifications: notes, outbox: records };
  };

  it('reads rows with payloads and of endpoints what sending needs; what is gone is missing', async () => {
    const [delivery, endpoint] = [aDelivery(), anEndpoint()];
    await database.store({ deliveries: [delivery], endpoints: [endpoint] });
    const { deliveries, endpoints } = await storeWith(offers().relay).read({
      deliveryIds: [delivery.id, idFor('delivery', 'gone')],
      endpointIds: [endpoint.id, idFor('endpoint', 'gone')],
    });
    expect([...deliveries]).to.deep.equal([[delivery.id, delivery]]);
    expect([...endpoints]).to.deep.equal([[endpoint.id, targetOf(endpoint)]]);
  });

  it('stores the attempt and the summary that follows from it, and leaves the payload alone', async () => {
    const delivery = aDelivery();
    await database.store({ deliveries: [delivery], endpoints: [anEndpoint()] });
    const observation = anAttemptObservation({ outcome: answered(503, 'busy') });
    const { results, attempts } = await settle([observation]);
    expect(results.map(({ fresh }) => fresh)).to.deep.equal([true]);
    const row = await database.collections.deliveries.findOne({ _id: delivery.id });
    expect(fromDeliveryDocument(row!)).to.deep.equal({
      ...results[0]?.after.delivery,
      payload: delivery.payload,
    });
    expect(row).to.deep.include({ status: 'failed', attempts: 1, dueAt: later(40 + STEP_MS) });
    const stored = await database.collections.attempts.find().toArray();
    expect(stored).to.deep.equal([{ _id: `${delivery.id}:1`, ...attempts[0] }]);
  });

  it('takes the due time away from a row that is done', async () => {
    await database.store({ deliveries: [aDelivery()], endpoints: [anEndpoint()] });
    await settle([anAttemptObservation()]);
    expect(await database.row(aDelivery().id))
      .to.include({ status: 'delivered' })
      .and.not.to.have.property('dueAt');
  });

  it('stores the 20th failure, the disabling, its audit entry, its notification and the promise to tell, at once', async () => {
    const failures = Array.from({ length: 20 }, (_, n) =>
      anAttemptObservation({ deliveryId: idFor('delivery', `${n}`), outcome: answered(503) }),
    );
    const deliveries = failures.map(({ deliveryId }) => aDelivery({ id: deliveryId }));
    await database.store({ deliveries, endpoints: [anEndpoint()] });
    const { relay, offered } = offers();
    await settle(failures, relay);
    expect(await counts()).to.deep.equal({ attempts: 20, audits: 1, notifications: 1, outbox: 1 });
    const endpoint = await database.collections.endpoints.findOne();
    expect(endpoint).to.include({
      enabled: false,
      disabledReason: 'consecutive_failures',
      streakVersion: 20,
    });
    const [notification] = await database.collections.notifications.find().toArray();
    expect(notification).to.include({ kind: 'endpoint_disabled', endpointId: ENDPOINT_ID });
    const promised = await database.collections.outbox.findOne();
    expect(promised).to.deep.include({
      topic: 'workspace.notifications',
      failures: 0,
      claimedUntil: later(15_000),
    });
    expect(offered.map(({ id }) => id))
      .to.deep.equal([notification?._id])
      .and.deep.equal([promised?._id]);
  });

  it('writes no attempt for a row that is gone', async () => {
    await database.store({ endpoints: [anEndpoint()] });
    const { results } = await settle([anAttemptObservation()]);
    // Settling does not need the secrets and does not read them.
    const { secrets: _, ...endpoint } = targetOf(anEndpoint());
    expect(results[0]).to.deep.include({ fresh: false, after: { delivery: null, endpoint } });
    expect(await counts()).to.deep.equal({ attempts: 0, audits: 0, notifications: 0, outbox: 0 });
  });

  it('writes nothing of a batch that fails half-way, and offers nothing', async () => {
    const [good, bad] = [aDelivery(), aDelivery({ id: idFor('delivery', 'bad') })];
    await database.store({ deliveries: [good, bad], endpoints: [anEndpoint({ consecutiveFailures: 19 })] });
    const observations = [good, bad].map(({ id }) =>
      anAttemptObservation({ deliveryId: id, outcome: answered(500) }),
    );
    const { relay, offered } = offers();
    const error = await storeWith(relay)
      .settle(observations, (stored) => {
        const batch = settleAll(stored, observations, STEP_MS);
        return { ...batch, audits: [...batch.audits, ...batch.audits] };
      })
      .catch((reason: unknown) => reason);
    expect(error).to.have.property('code', 11_000);
    expect(await counts()).to.deep.equal({ attempts: 0, audits: 0, notifications: 0, outbox: 0 });
    expect(await database.row(good.id)).to.include({ status: 'pending' });
    const endpoint = await database.collections.endpoints.findOne();
    expect(endpoint && fromDocument(endpoint)).to.deep.equal(anEndpoint({ consecutiveFailures: 19 }));
    expect(offered).to.deep.equal([]);
  });

  it('lets an error of the decision through and writes nothing', async () => {
    await database.store({ deliveries: [aDelivery()] });
    const error = await storeWith(offers().relay)
      .settle([anAttemptObservation()], () => {
        throw new RangeError('undecided');
      })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    expect(await database.row(aDelivery().id)).to.include({ status: 'pending' });
  });

  it('postpones the dead letter of rows that still wait for it, and of no others', async () => {
    const until = later(60_000);
    const waiting = aFailedDelivery(7, { id: idFor('delivery', 'waiting'), dueAt: NOON });
    const further = aFailedDelivery(7, { id: idFor('delivery', 'further'), dueAt: later(90_000) });
    const ended = aTerminalDelivery('dead_lettered', { id: idFor('delivery', 'dead_lettered') });
    const other = aFailedDelivery(7, { id: idFor('delivery', 'other'), dueAt: NOON });
    await database.store({ deliveries: [waiting, further, ended, other] });
    await storeWith(offers().relay).postponeDeadLetter([waiting.id, further.id, ended.id], until);
    expect(await database.row(waiting.id)).to.deep.include({ dueAt: until, status: 'failed', attempts: 7 });
    expect(await database.row(further.id)).to.deep.include({ dueAt: later(90_000) });
    expect(await database.row(ended.id)).not.to.have.property('dueAt');
    expect(await database.row(other.id)).to.deep.include({ dueAt: NOON });
  });
});
