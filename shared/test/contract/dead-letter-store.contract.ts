import { expect } from 'chai';
import { deadLetterAll } from '../../src/domain/dead-letter.js';
import type { Delivery } from '../../src/domain/delivery.js';
import {
  aFailedDelivery,
  aFailingEndpoint,
  ENDPOINT_ID,
  idFor,
  later,
  NOON,
  TRACE_ID,
} from '../../src/testing/builders.js';
import type { CreateStores, StoresUnderTest } from './stores-under-test.js';

export const FAILING_SINCE = later(-60_000);

export const exhaustedRow = (name: string, failingSince = FAILING_SINCE) =>
  aFailedDelivery(7, { id: idFor('delivery', name), failingSince });

/** Settles the dead letters of these rows as the consumer does. */
export function deadLetterRows(
  { deadLetters }: Pick<StoresUnderTest, 'deadLetters'>,
  rows: readonly Pick<Delivery, 'id'>[],
) {
  const letters = rows.map(({ id }) => ({ deliveryId: id, endpointId: ENDPOINT_ID }));
  return deadLetters.settle(letters, (stored) => deadLetterAll(stored, letters, NOON));
}

/** The behaviour that every `DeadLetterStore` shares. */
export function deadLetterStoreContract(createStores: CreateStores): void {
  let stores: StoresUnderTest;
  beforeEach(() => {
    stores = createStores();
  });
  const settle = (...rows: readonly Pick<Delivery, 'id'>[]) => deadLetterRows(stores, rows);
  const counts = async () => ({
    attempts: (await stores.attempts()).length,
    notifications: (await stores.notifications()).length,
    offered: stores.offered.length,
  });

  it('ends the row and stores its record and the notification', async () => {
    const [row, endpoint] = [exhaustedRow('one'), aFailingEndpoint(9)];
    await stores.store({ deliveries: [row], endpoints: [endpoint] });
    const { settlements, records } = await settle(row);
    expect(await stores.rows()).to.deep.equal([
      {
        ...row,
        status: 'dead_lettered',
        failureReason: 'retries_exhausted',
        nextAttemptAt: null,
        dueAt: null,
      },
    ]);
    expect(await stores.attempts()).to.deep.equal([settlements[0]?.attempt]);
    const [notification] = await stores.notifications();
    expect(notification?.data).to.deep.equal({
      deliveryId: row.id,
      failingSince: FAILING_SINCE.toISOString(),
    });
    expect(records.map(({ id }) => id)).to.deep.equal([notification?.id]);
    expect(records[0]?.headers.traceparent).to.include(TRACE_ID);
    expect(stores.offered).to.deep.equal(records);
  });

  it('does not change the endpoint', async () => {
    const [row, endpoint] = [exhaustedRow('one'), aFailingEndpoint(9)];
    await stores.store({ deliveries: [row], endpoints: [endpoint] });
    await settle(row);
    expect(await stores.endpoints()).to.deep.equal([endpoint]);
  });

  it('announces an outage once, and the next outage of the endpoint again', async () => {
    const [first, same, next] = [exhaustedRow('1'), exhaustedRow('2'), exhaustedRow('3', later(3_600_000))];
    await stores.store({ deliveries: [first, same, next], endpoints: [aFailingEndpoint(9)] });
    await settle(first);
    expect((await settle(same)).records).to.deep.equal([]);
    expect(await counts()).to.deep.equal({ attempts: 2, notifications: 1, offered: 1 });
    await settle(next);
    expect(await counts()).to.deep.equal({ attempts: 3, notifications: 2, offered: 2 });
  });

  it('changes nothing for a duplicate message', async () => {
    const row = exhaustedRow('one');
    await stores.store({ deliveries: [row], endpoints: [aFailingEndpoint(9)] });
    await settle(row);
    const before = await stores.rows();
    expect(await settle(row)).to.deep.equal({ settlements: [null], records: [] });
    expect(await stores.rows()).to.deep.equal(before);
    expect(await counts()).to.deep.equal({ attempts: 1, notifications: 1, offered: 1 });
  });

  it('changes nothing for a missing row, or for one with attempts left', async () => {
    const early = aFailedDelivery(6);
    await stores.store({ deliveries: [early], endpoints: [aFailingEndpoint(9)] });
    await settle(early);
    await settle({ id: idFor('delivery', 'gone') });
    expect(await stores.rows()).to.deep.equal([early]);
    expect(await counts()).to.deep.equal({ attempts: 0, notifications: 0, offered: 0 });
  });

  it('ends the other deliveries of a group, each of them once', async () => {
    const [one, other, early] = [exhaustedRow('one'), exhaustedRow('other'), aFailedDelivery(6)];
    await stores.store({ deliveries: [one, other, early], endpoints: [aFailingEndpoint(9)] });
    const { settlements, records } = await settle(one, early, other, one);
    expect(settlements.map((settlement) => settlement?.delivery.id ?? null)).to.deep.equal([
      one.id,
      null,
      other.id,
      null,
    ]);
    expect(records.map(({ value }) => (value as { data: object }).data)).to.deep.equal([
      { deliveryId: one.id, failingSince: FAILING_SINCE.toISOString() },
    ]);
    expect(await counts()).to.deep.equal({ attempts: 2, notifications: 1, offered: 1 });
  });

  it('ends a delivery whose endpoint is missing', async () => {
    const row = exhaustedRow('one');
    await stores.store({ deliveries: [row] });
    await settle(row);
    expect((await stores.rows())[0]).to.include({ status: 'dead_lettered' });
    expect((await stores.notifications())[0]?.message).to.include(ENDPOINT_ID);
  });
}
