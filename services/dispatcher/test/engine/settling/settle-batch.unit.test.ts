import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { FIRST_LEVEL, NEWEST_LEVEL } from '@postrider/shared/domain/feature-level';
import type { DeliveryId, EndpointId } from '@postrider/shared/domain/id';
import {
  aDelivery,
  aFailedDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
} from '@postrider/shared/testing/builders';
import { fixedFeatureLevel } from '@postrider/shared/testing/fixed-feature-level';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { createLatestStreaks } from '../../../src/engine/settling/latest-streaks.js';
import type { PendingObservation } from '../../../src/engine/settling/pending-observation.js';
import { createSettleBatch } from '../../../src/engine/settling/settle-batch.js';
import { aJob } from '../builders.js';

const OWNED = new Date('2999-01-01');
const [HEALTHY, FAILING] = [idFor('endpoint', 'healthy'), idFor('endpoint', 'failing')];

/** Settles over rows in memory, and notes which deliveries were recorded alone and which in a transaction. */
function aSettleBatch({ level = NEWEST_LEVEL, owned = true } = {}) {
  const stores = createInMemoryStores();
  for (const endpoint of [anEndpoint({ id: HEALTHY }), aFailingEndpoint(2, { id: FAILING })])
    stores.endpoints.set(endpoint.id, endpoint);
  const world = {
    alone: [] as string[],
    together: [] as string[],
    failing: null as 'record' | 'settle' | null,
  };
  const latestStreaks = createLatestStreaks();
  const settle = createSettleBatch({
    store: {
      async record(batch, until) {
        if (world.failing === 'record') throw new Error('not recorded');
        expect(until).to.equal(OWNED);
        world.alone.push(...batch.results.map(({ observation }) => observation.deliveryId));
        return stores.settlements.record(batch, until);
      },
      async settle(observations, decide) {
        if (world.failing === 'settle') throw new Error('not settled');
        world.together.push(...observations.map(({ deliveryId }) => deliveryId));
        return stores.settlements.settle(observations, decide);
      },
    },
    latestStreaks,
    featureLevel: fixedFeatureLevel(level),
    ownedUntil: () => (owned ? OWNED : null),
    retryStepMs: 30_000,
  });
  /** An answered attempt at a new row of an endpoint, which was read before it. */
  const entry = (name: string, endpointId: EndpointId, httpStatus = 200): PendingObservation => {
    const id = idFor('delivery', name) as DeliveryId;
    const delivery: Delivery = aDelivery({ id, endpointId });
    if (!stores.deliveries.has(id)) stores.deliveries.set(id, delivery);
    const observation = anAttemptObservation({ deliveryId: id, endpointId, outcome: answered(httpStatus) });
    const endpoint = stores.endpoints.get(endpointId) as Endpoint;
    return {
      job: aJob({ deliveryId: id, endpointId }),
      observation,
      known: { delivery, endpoint },
      eventId: null,
    };
  };
  const row = (name: string) => stores.deliveries.get(idFor('delivery', name));
  return Object.assign(world, { settle, entry, row, stores });
}

const id = (name: string) => idFor('delivery', name);

describe('settling a batch', () => {
  it('records successes at endpoints without failures alone, and the others in a transaction', async () => {
    const world = aSettleBatch();
    const entries = [world.entry('a', HEALTHY), world.entry('b', FAILING), world.entry('c', HEALTHY)];
    const results = await world.settle(entries);
    expect(world.alone).to.deep.equal([id('a'), id('c')]);
    expect(world.together).to.deep.equal([id('b')]);
    expect(results.map(({ observation, isStored }) => [observation.deliveryId, isStored])).to.deep.equal([
      [id('a'), true],
      [id('b'), true],
      [id('c'), true],
    ]);
    expect(world.stores.endpoints.get(FAILING)?.consecutiveFailures).to.equal(0);
  });

  it('keeps all observations of an endpoint in the transaction if one of them fails', async () => {
    const world = aSettleBatch();
    await world.settle([
      world.entry('a', HEALTHY),
      world.entry('b', HEALTHY, 503),
      world.entry('c', HEALTHY),
    ]);
    expect([world.alone, world.together]).to.deep.equal([[], ['a', 'b', 'c'].map(id)]);
    expect(world.stores.endpoints.get(HEALTHY)?.streakVersion).to.equal(2);
  });

  it('takes the transaction for a success whose endpoint was read before a failure was stored', async () => {
    const world = aSettleBatch();
    const success = world.entry('a', HEALTHY);
    await world.settle([world.entry('b', HEALTHY, 503)]);
    await world.settle([success]);
    expect(world.together).to.deep.equal([id('b'), id('a')]);
    expect(world.stores.endpoints.get(HEALTHY)?.consecutiveFailures).to.equal(0);
  });

  for (const [name, options] of [
    ['while older processes run', { level: FIRST_LEVEL }],
    ['while another process may own the endpoint', { owned: false }],
  ] as const) {
    it(`takes the transaction for everything ${name}`, async () => {
      const world = aSettleBatch(options);
      await world.settle([world.entry('a', HEALTHY)]);
      expect([world.alone, world.together]).to.deep.equal([[], [id('a')]]);
    });
  }

  it('takes the transaction for two observations of one delivery', async () => {
    const world = aSettleBatch();
    const results = await world.settle([world.entry('a', HEALTHY), world.entry('a', HEALTHY, 204)]);
    expect(world.alone).to.deep.equal([]);
    expect(results.map(({ isStored }) => isStored)).to.deep.equal([true, false]);
  });

  it('adopts the stored attempt if another process was first', async () => {
    const world = aSettleBatch();
    const late = world.entry('a', HEALTHY);
    world.stores.deliveries.set(id('a'), aFailedDelivery(1, { id: id('a'), endpointId: HEALTHY }));
    const [result] = await world.settle([late, world.entry('b', HEALTHY)]);
    expect(result).to.deep.include({ isStored: false, next: { do: 'retry', ordinal: 2, tier: 1 } });
    expect(world.row('a')).to.include({ status: 'failed', attempts: 1 });
    expect(world.row('b')).to.include({ status: 'delivered' });
  });

  for (const failing of ['record', 'settle'] as const) {
    it(`stores nothing twice when ${failing} fails and the batch is tried again`, async () => {
      const world = aSettleBatch();
      const entries = [world.entry('a', HEALTHY), world.entry('b', FAILING)];
      world.failing = failing;
      expect(await world.settle(entries).catch(({ message }: Error) => message)).to.match(/^not /);
      world.failing = null;
      const results = await world.settle(entries);
      expect(results.map(({ isStored }) => isStored)).to.deep.equal([true, true]);
      expect([world.alone, world.together]).to.deep.equal([[id('a')], [id('b')]]);
    });
  }
});
