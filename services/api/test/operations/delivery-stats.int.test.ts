import { DAY_MS, HOUR_MS } from '@postrider/shared/domain/durations';
import { statsId } from '@postrider/shared/mongo/stats-store';
import { profiled } from '@postrider/shared/testing/profiled';
import { expect } from 'chai';
import type { DeliveryStats } from '../../src/contract/delivery-stats.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { endpointsOf } from './endpoints-of.js';

const DAYS = 365;
const FIRST_DAY = Date.UTC(2025, 0, 1);

describe('delivery stats', () => {
  let world: ApiWorld;
  before(async () => {
    world = await apiWorld();
  });
  after(() => world?.destroy());

  for (const owner of ['an endpoint', 'the workspace'] as const)
    it(`read one document for each day of a year of ${owner}, not one for each hour`, async () => {
      const reader = await world.as(['admin']);
      const { id: endpointId } = await endpointsOf(world, reader).create();
      const { endpointStats, workspaceStats } = world.database.collections;
      const [collection, id, query] =
        owner === 'an endpoint'
          ? [endpointStats, endpointId, `&endpointId=${endpointId}`]
          : [workspaceStats, world.workspace.id, ''];
      // And the hours before and after.
      const documents = Array.from({ length: DAYS * 24 + 2 }, (_, n) => {
        const hour = new Date(FIRST_DAY + (n - 1) * HOUR_MS);
        return { _id: statsId(id, hour), hour, version: 1, delivered: n, latency: { 10: 1 } };
      });
      await collection.insertMany(documents);
      const [from, to] = [FIRST_DAY, FIRST_DAY + DAYS * DAY_MS].map((at) => new Date(at).toISOString());
      let items: DeliveryStats['items'] = [];
      const operations = await profiled(world.database.db, async () => {
        items = (await reader.request<DeliveryStats>(`/stats?from=${from}&to=${to}&step=day${query}`)).body
          .items;
      });
      const reads = operations.filter(({ ns }) => ns.endsWith(collection.collectionName));
      expect(reads.reduce((sum, { nreturned = 0 }) => sum + nreturned, 0)).to.equal(DAYS);
      const expected = Array.from({ length: DAYS }, (_, day) => 24 * (24 * day + 12.5));
      expect(items.map(({ delivered }) => delivered)).to.deep.equal(expected);
      expect(items.at(-1)?.latencyMs).to.deep.equal(items[0]?.latencyMs).and.not.equal(null);
    });
});
