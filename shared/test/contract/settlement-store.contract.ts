import { expect } from 'chai';
import type { DeliveryId } from '../../src/domain/id.js';
import type { Observation } from '../../src/domain/settle.js';
import { settleAll } from '../../src/domain/settle-all.js';
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
import { endpointTargetOf, settledEndpointOf } from '../../src/testing/endpoint-parts.js';
import type { CreateStores, StoresUnderTest } from './stores-under-test.js';

const STEP_MS = 30_000;

/** The behaviour that every `SettlementStore` shares. */
export function settlementStoreContract(createStores: CreateStores): void {
  let stores: StoresUnderTest;
  beforeEach(() => {
    stores = createStores();
  });
  const settle = (observations: readonly Observation[]) =>
    stores.settlements.settle(observations, (stored) => settleAll(stored, observations, STEP_MS));
  const counts = async () => ({
    attempts: (await stores.attempts()).length,
    audits: await stores.auditCount(),
    notifications: (await stores.notifications()).length,
  });
  const rowNamed = async (id: string) => (await stores.rows()).find((row) => row.id === id);

  it('reads rows with payloads and the target fields of endpoints, and omits missing ones', async () => {
    const [delivery, endpoint] = [aDelivery(), anEndpoint()];
    await stores.store({ deliveries: [delivery], endpoints: [endpoint] });
    const { deliveries, endpoints } = await stores.settlements.read({
      deliveryIds: [delivery.id, idFor('delivery', 'gone')],
      endpointIds: [endpoint.id, idFor('endpoint', 'gone')],
    });
    expect([...deliveries]).to.deep.equal([[delivery.id, delivery]]);
    expect([...endpoints]).to.deep.equal([[endpoint.id, endpointTargetOf(endpoint)]]);
  });

  // Regression: a read of 100 rows took 100 MB, and ten times as much if the payloads had many small parts.
  it('reads rows of 8 MiB together, at least one, and names the others', async () => {
    const ids = Array.from({ length: 5 }, (_, n) => idFor('delivery', `large ${n}`));
    const payload = { text: 'x'.repeat(3 * 1_024 * 1_024) };
    await stores.store({ deliveries: ids.map((id) => aDelivery({ id, payload })) });
    let left: readonly DeliveryId[] = ids;
    const sizes: number[] = [];
    while (left.length > 0) {
      const { deliveries, unread } = await stores.settlements.read({ deliveryIds: left, endpointIds: [] });
      expect([...deliveries.keys(), ...unread]).to.have.members(left);
      sizes.push(deliveries.size);
      left = [...unread];
    }
    expect(sizes).to.deep.equal([2, 2, 1]);
    await stores.store({ deliveries: [aDelivery({ payload: { text: 'x'.repeat(9 * 1_024 * 1_024) } })] });
    const alone = await stores.settlements.read({ deliveryIds: [aDelivery().id], endpointIds: [] });
    expect([alone.deliveries.size, alone.unread.size]).to.deep.equal([1, 0]);
  });

  // Regression: the oldest rows were read, so those of others waited for the end of a backlog of large ones.
  it('reads the first of the given rows while there is no room for all', async () => {
    const at = (ms: number) => idFor('delivery', 'due', later(ms));
    const [oldest, older, old, newest] = [at(0), at(1), at(2), at(3)];
    const payload = { text: 'x'.repeat(4 * 1_024 * 1_024) };
    const large = [oldest, older, old].map((id) => aDelivery({ id, payload }));
    await stores.store({ deliveries: [...large, aDelivery({ id: newest })] });
    const read = async () => {
      const deliveryIds = [newest, idFor('delivery', 'gone'), old, older, oldest];
      const { deliveries, unread } = await stores.settlements.read({ deliveryIds, endpointIds: [] });
      return [[...deliveries.keys()].sort(), [...unread].sort()];
    };
    await read();
    const expected = [
      [old, newest],
      [oldest, older],
    ];
    expect(await read()).to.deep.equal(expected);
    expect(await read(), 'again').to.deep.equal(expected);
  });

  it('finds those of some deliveries that are delivered', async () => {
    const open = aDelivery();
    const delivered = aTerminalDelivery('delivered', { id: idFor('delivery', 'delivered') });
    const failed = aTerminalDelivery('failed_permanent', { id: idFor('delivery', 'failed') });
    await stores.store({ deliveries: [open, delivered, failed], endpoints: [] });
    const ids = [open.id, delivered.id, failed.id, idFor('delivery', 'gone')];
    expect([...(await stores.settlements.deliveredOf(ids))]).to.deep.equal([delivered.id]);
  });

  it('decides on rows without payloads and endpoints without secrets', async () => {
    const [delivery, endpoint] = [aDelivery(), anEndpoint()];
    await stores.store({ deliveries: [delivery], endpoints: [endpoint] });
    const observation = anAttemptObservation();
    await stores.settlements.settle([observation], (stored) => {
      const { payload: _, ...summary } = delivery;
      expect([...stored.deliveries]).to.deep.equal([[delivery.id, summary]]);
      expect([...stored.endpoints]).to.deep.equal([[endpoint.id, settledEndpointOf(endpoint)]]);
      return settleAll(stored, [observation], STEP_MS);
    });
  });

  it('stores the attempt and the new summary, and keeps the payload', async () => {
    const delivery = aDelivery();
    await stores.store({ deliveries: [delivery], endpoints: [anEndpoint()] });
    const { results, attempts } = await settle([anAttemptObservation({ outcome: answered(503, 'busy') })]);
    expect(results.map(({ isStored }) => isStored)).to.deep.equal([true]);
    const [row] = await stores.rows();
    expect(row).to.deep.equal({ ...results[0]?.after.delivery, payload: delivery.payload });
    expect(row).to.deep.include({ status: 'failed', attempts: 1, dueAt: later(40 + STEP_MS) });
    expect(await stores.attempts()).to.deep.equal(attempts);
  });

  it('leaves a delivered row without a due time', async () => {
    await stores.store({ deliveries: [aDelivery()], endpoints: [anEndpoint()] });
    await settle([anAttemptObservation()]);
    expect(await rowNamed(aDelivery().id)).to.include({ status: 'delivered', dueAt: null });
  });

  it('stores the 20th failure with the disabling, its audit event, notification and outbox record', async () => {
    const failures = Array.from({ length: 20 }, (_, n) =>
      anAttemptObservation({ deliveryId: idFor('delivery', `${n}`), outcome: answered(503) }),
    );
    const deliveries = failures.map(({ deliveryId }) => aDelivery({ id: deliveryId }));
    await stores.store({ deliveries, endpoints: [anEndpoint()] });
    await settle(failures);
    expect(await counts()).to.include({ attempts: 20, audits: 1 });
    const [endpoint] = await stores.endpoints();
    expect(endpoint).to.include({
      enabled: false,
      disabledReason: 'consecutive_failures',
      streakVersion: 20,
    });
    const notifications = await stores.notifications();
    const disablings = notifications.filter(({ kind }) => kind === 'endpoint_disabled');
    expect(disablings.map(({ endpointId }) => endpointId)).to.deep.equal([ENDPOINT_ID]);
    expect(stores.offered.map(({ id, topic }) => [id, topic])).to.have.deep.members(
      notifications.map(({ id }) => [id, 'workspace.notifications']),
    );
  });

  it('stores the enabling of an endpoint that answers a recovery probe', async () => {
    const disabledAt = later(-60_000);
    const endpoint = anEndpoint({
      enabled: false,
      disabledReason: 'consecutive_failures',
      enabledSince: later(-120_000),
      disabledAt,
      recovery: 'probe',
      probeAt: NOON,
      consecutiveFailures: 20,
      streakVersion: 20,
      failingSince: disabledAt,
    });
    await stores.store({ deliveries: [aDelivery({ probeOf: disabledAt })], endpoints: [endpoint] });
    const { results } = await settle([anAttemptObservation()]);
    const [stored] = await stores.endpoints();
    expect(settledEndpointOf(stored!)).to.deep.equal(results[0]?.after.endpoint);
    expect(stored).to.deep.include({
      ...{ enabled: true, disabledReason: null, disabledAt: null, consecutiveFailures: 0 },
      ...{ enabledSince: later(40), failingSince: null },
    });
    expect(stored).to.include.keys('lastPeriod', 'earlierPeriods');
  });

  it('writes no attempt for a missing row', async () => {
    await stores.store({ endpoints: [anEndpoint()] });
    const { results } = await settle([anAttemptObservation()]);
    expect(results[0]).to.deep.include({
      isStored: false,
      after: { delivery: null, endpoint: settledEndpointOf(anEndpoint()) },
    });
    expect(await counts()).to.deep.equal({ attempts: 0, audits: 0, notifications: 0 });
  });

  it('writes nothing of a batch with a duplicate, and offers nothing to the relay', async () => {
    const [good, bad] = [aDelivery(), aDelivery({ id: idFor('delivery', 'bad') })];
    const endpoint = anEndpoint({ consecutiveFailures: 19 });
    await stores.store({ deliveries: [good, bad], endpoints: [endpoint] });
    const observations = [good, bad].map(({ id }) =>
      anAttemptObservation({ deliveryId: id, outcome: answered(500) }),
    );
    const error = await stores.settlements
      .settle(observations, (stored) => {
        const batch = settleAll(stored, observations, STEP_MS);
        return { ...batch, audits: [...batch.audits, ...batch.audits] };
      })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(await counts()).to.deep.equal({ attempts: 0, audits: 0, notifications: 0 });
    expect(await rowNamed(good.id)).to.include({ status: 'pending' });
    expect(await stores.endpoints()).to.deep.equal([endpoint]);
    expect(stores.offered).to.deep.equal([]);
  });

  it('passes on an error of the decision and writes nothing', async () => {
    await stores.store({ deliveries: [aDelivery()] });
    const error = await stores.settlements
      .settle([anAttemptObservation()], () => {
        throw new RangeError('undecided');
      })
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    expect(await rowNamed(aDelivery().id)).to.include({ status: 'pending' });
  });

  describe('record', () => {
    const AHEAD = new Date('2999-01-01');
    const [A, B] = [idFor('delivery', 'a'), idFor('delivery', 'b')];
    const successes = (...deliveryIds: DeliveryId[]) =>
      deliveryIds.map((deliveryId) => anAttemptObservation({ deliveryId }));
    /** Decides on new rows, whatever is stored. */
    const decided = (observations: readonly Observation[]) =>
      settleAll(
        {
          deliveries: new Map(observations.map(({ deliveryId: id }) => [id, aDelivery({ id })])),
          endpoints: new Map([[ENDPOINT_ID, anEndpoint()]]),
        },
        observations,
        STEP_MS,
      );
    const record = (observations: readonly Observation[], until = AHEAD) =>
      stores.settlements.record(decided(observations), until);

    it('stores the attempts and their rows', async () => {
      const rows = [A, B].map((id) => aDelivery({ id }));
      await stores.store({ deliveries: rows, endpoints: [anEndpoint()] });
      const { attempts, deliveries } = decided(successes(A, B));
      expect(await record(successes(A, B))).to.equal(true);
      expect(await stores.attempts()).to.have.deep.members(attempts);
      expect(await stores.rows()).to.have.deep.members(
        deliveries.map((row) => ({ ...row, payload: aDelivery().payload })),
      );
    });

    const OTHERS = {
      'of the same ordinal is stored': aFailedDelivery(1, { id: A }),
      'of a later ordinal is stored': aFailedDelivery(2, { id: A }),
      'ended the delivery': aTerminalDelivery('delivered', { id: A }),
    };
    for (const [name, row] of Object.entries(OTHERS)) {
      it(`stores nothing for a row if an attempt ${name}, and says so`, async () => {
        await stores.store({ deliveries: [row, aDelivery({ id: B })], endpoints: [anEndpoint()] });
        expect(await record(successes(A, B))).to.equal(false);
        expect(await rowNamed(A)).to.deep.equal(row);
        expect(await rowNamed(B)).to.include({ status: 'delivered' });
        expect((await stores.attempts()).map(({ deliveryId }) => deliveryId)).to.deep.equal([B]);
      });
    }

    it('appends to the attempts of several rows, whatever they contain', async () => {
      const rows = [A, B].map((id) => aDelivery({ id }));
      await stores.store({ deliveries: rows, endpoints: [anEndpoint()] });
      const attempt = (deliveryId: DeliveryId, status: number, ordinal: number) =>
        anAttemptObservation({
          deliveryId,
          ordinal,
          outcome: answered(status),
          requestHeaders: { 'webhook-id': '$_id', $set: '$$ROOT', 'a.b': 'c' },
        });
      const failures = [A, B].map((id) => attempt(id, 503, 1));
      expect(await record(failures)).to.equal(true);
      const known = {
        deliveries: new Map((await stores.rows()).map((row) => [row.id, row] as const)),
        endpoints: new Map([[ENDPOINT_ID, anEndpoint()]]),
      };
      const seconds = [A, B].map((id) => attempt(id, 200, 2));
      expect(await stores.settlements.record(settleAll(known, seconds, STEP_MS), AHEAD)).to.equal(true);
      const stored = await stores.attempts();
      expect(stored.map((one) => [one.deliveryId, one.ordinal, one.httpStatus])).to.have.deep.members([
        [A, 1, 503],
        [A, 2, 200],
        [B, 1, 503],
        [B, 2, 200],
      ]);
      for (const { requestHeaders } of stored) expect(requestHeaders).to.include({ $set: '$$ROOT' });
      expect(await rowNamed(B)).to.include({ status: 'delivered', attempts: 2, dueAt: null });
    });

    it('stores the attempts of rows that wait for different ones, or end differently', async () => {
      const failing = idFor('delivery', 'failing');
      const rows = [aDelivery({ id: A }), aFailedDelivery(1, { id: B }), aDelivery({ id: failing })];
      await stores.store({ deliveries: rows, endpoints: [anEndpoint()] });
      const observations = rows.map(({ id: deliveryId, attempts }) =>
        anAttemptObservation({
          deliveryId,
          ordinal: attempts + 1,
          outcome: answered(deliveryId === failing ? 503 : 200),
        }),
      );
      const known = {
        deliveries: new Map(rows.map((row) => [row.id, row] as const)),
        endpoints: new Map([[ENDPOINT_ID, anEndpoint()]]),
      };
      expect(await stores.settlements.record(settleAll(known, observations, STEP_MS), AHEAD)).to.equal(true);
      expect(await rowNamed(A)).to.include({ status: 'delivered', attempts: 1 });
      expect(await rowNamed(B)).to.include({ status: 'delivered', attempts: 2 });
      expect(await rowNamed(failing)).to.deep.include({ attempts: 1, dueAt: later(40 + STEP_MS) });
    });

    it('stores nothing for a row that was closed without an attempt', async () => {
      const closed = aTerminalDelivery('failed_permanent', { id: A, attempts: 0, lastAttempt: null });
      await stores.store({ deliveries: [closed], endpoints: [anEndpoint()] });
      expect(await record(successes(A))).to.equal(false);
      expect(await stores.attempts()).to.deep.equal([]);
    });

    it('says so if a row is missing', async () => {
      expect(await record(successes(A))).to.equal(false);
      expect(await stores.rows()).to.deep.equal([]);
    });

    it('is followed by a transaction that finds what it stored', async () => {
      await stores.store({ deliveries: [aDelivery({ id: A })], endpoints: [anEndpoint()] });
      await record(successes(A, B));
      const { results } = await settle(successes(A, B));
      expect(results.map(({ isStored, next }) => [isStored, next.do])).to.deep.equal([
        [true, 'done'],
        [false, 'done'],
      ]);
      expect(await stores.attempts()).to.have.length(1);
    });
  });

  it('moves the due times of the given rows that are due earlier, and no others', async () => {
    const until = later(60_000);
    const waiting = aFailedDelivery(7, { id: idFor('delivery', 'waiting'), dueAt: NOON });
    const further = aFailedDelivery(7, { id: idFor('delivery', 'further'), dueAt: later(90_000) });
    const ended = aTerminalDelivery('dead_lettered', { id: idFor('delivery', 'dead_lettered') });
    const other = aFailedDelivery(7, { id: idFor('delivery', 'other'), dueAt: NOON });
    const retried = aFailedDelivery(2, {
      id: idFor('delivery', 'retried'),
      dueAt: NOON,
      nextAttemptAt: NOON,
    });
    await stores.store({ deliveries: [waiting, further, ended, other, retried] });
    const all = [waiting.id, further.id, ended.id, retried.id].map((id) => [id, until] as const);
    await stores.settlements.moveDueTimes(new Map(all));
    const waits = { dueAt: until, nextAttemptAt: null, status: 'failed', attempts: 7 };
    expect(await rowNamed(waiting.id)).to.deep.include(waits);
    expect(await rowNamed(retried.id)).to.deep.include({ dueAt: until, nextAttemptAt: until });
    expect(await rowNamed(further.id)).to.deep.include({ dueAt: later(90_000) });
    expect(await rowNamed(ended.id)).to.deep.include({ dueAt: null });
    expect(await rowNamed(other.id)).to.deep.include({ dueAt: NOON });
  });

  it('extends the due times of rows whose next attempt is the given one, and no others', async () => {
    const until = later(60_000);
    const first = aDelivery({ dueAt: NOON });
    const second = aFailedDelivery(1, { id: idFor('delivery', 'second'), dueAt: NOON, nextAttemptAt: NOON });
    const made = aFailedDelivery(1, { id: idFor('delivery', 'made'), dueAt: NOON, nextAttemptAt: NOON });
    const further = aDelivery({ id: idFor('delivery', 'further'), dueAt: later(90_000) });
    const ended = aTerminalDelivery('delivered', { id: idFor('delivery', 'ended') });
    await stores.store({ deliveries: [first, second, made, further, ended] });
    const attempts = [
      { deliveryId: further.id, ordinal: 1 },
      { deliveryId: first.id, ordinal: 1 },
      { deliveryId: second.id, ordinal: 2 },
      { deliveryId: made.id, ordinal: 1 },
      { deliveryId: ended.id, ordinal: ended.attempts + 1 },
    ];
    await stores.settlements.extendDueTimes(attempts, until);
    expect((await rowNamed(first.id))?.dueAt).to.deep.equal(until);
    expect(await rowNamed(second.id)).to.deep.include({ dueAt: until, nextAttemptAt: until });
    expect(await rowNamed(made.id)).to.deep.include({ dueAt: NOON, nextAttemptAt: NOON });
    expect(await rowNamed(further.id)).to.deep.include({ dueAt: later(90_000) });
    expect(await rowNamed(ended.id)).to.deep.include({ dueAt: null });
  });
}
