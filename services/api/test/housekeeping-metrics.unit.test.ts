import { mock } from 'node:test';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import type { Database } from '@postrider/shared/mongo/connect';
import { expect } from 'chai';
import { registerHousekeepingMetrics } from '../src/housekeeping-metrics.js';

/** The longest wait of a scrape for a query, in milliseconds. */
const WAIT_MS = 2_000;

describe('gauges of the housekeeping', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout'] }));
  afterEach(() => mock.timers.reset());

  // Regression: a scrape took 5 to 15 s while the database did not answer. Prometheus waits for 10 s, and then has no metric at all.
  it('are missing after two seconds while the database does not answer, and the others are exported', async () => {
    const never = () => new Promise<never>(() => {});
    const silent = { findOne: never, find: () => ({ toArray: never }) };
    const collections = { taskRuns: silent, deliveries: silent };
    const database = { db: { collection: () => silent }, collections } as unknown as Database;
    const metrics = createMetrics('api', '1');
    registerHousekeepingMetrics(metrics, database);
    const text = metrics.text();
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(WAIT_MS);
    const exported = (await text).split('\n').filter((line) => line.startsWith('postrider_'));
    expect(exported).to.deep.equal(['postrider_build_info{service="api",version="1"} 1']);
  });
});
